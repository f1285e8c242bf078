import type { World } from '../../../support/administration.ts';
import { everyRole, type Rows, security } from '../row.ts';

const weak = { current_password: 'a long password', new_password: 'short' };
const password = 'a long password';
/** A browser goes there. */
const goes = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' };
const fromOwnPage = { 'sec-fetch-site': 'same-origin' };

const provider = { issuer: 'https://id.example', client_id: 'potstream', client_secret: 'a secret' };

/** acme has an identity provider. */
async function provided(world: World): Promise<object> {
  const answer = await world.call('PUT', '/config/operators/acme/identity-provider', provider);
  if (answer.status !== 200) throw new Error(answer.text);
  return {};
}

export const access: Rows = {
  'POST /v1/auth/service': {
    may: 'anyone',
    body: ({ fresh }) => ({ username: fresh, password }),
    own: [401],
  },
  'POST /auth/admin': { may: 'anyone', body: ({ fresh }) => ({ username: fresh, password }), own: [401] },
  'POST /v1/auth/service/renew': { may: 'services' },
  'POST /auth/admin/renew': { may: everyRole },
  'PUT /v1/auth/service/password': { may: 'services', body: () => weak, own: [422] },
  'PUT /auth/admin/password': { may: everyRole, body: () => weak, own: [422] },
  'POST /auth/admin/session': {
    may: 'anyone',
    body: ({ fresh }) => ({ username: fresh, password }),
    headers: fromOwnPage,
    own: [401],
  },
  'PUT /auth/admin/session': { may: everyRole, headers: fromOwnPage },
  'DELETE /auth/admin/session': { may: everyRole, endsTokens: true },
  'DELETE /auth/admin/sessions': { may: everyRole, endsTokens: true },
  'GET /auth/admin/me': { may: everyRole },
  'POST /auth/admin/step-up': { may: everyRole, body: () => ({ code: '000000' }), own: [403] },
  'POST /auth/admin/second-factor': { may: everyRole, body: () => ({ current_password: password }) },
  'PUT /auth/admin/second-factor': {
    may: everyRole,
    body: () => ({ enrolment_id: 'none', code: '000000' }),
    own: [403],
  },
  'DELETE /config/users/{username}/second-factor': {
    may: security,
    names: ['administrator'],
    path: ({ administrator }) => ({ username: administrator }),
  },
  'GET /auth/admin/oidc/{operator_id}': { may: 'anyone', headers: goes, own: [303] },
  'GET /auth/admin/oidc/{operator_id}/callback': { may: 'anyone', headers: goes, own: [303] },
  'GET /config/operators/{operator_id}/identity-provider': {
    may: security,
    names: ['operator'],
    prepare: provided,
  },
  'PUT /config/operators/{operator_id}/identity-provider': {
    may: security,
    names: ['operator'],
    body: () => provider,
  },
  'DELETE /config/operators/{operator_id}/identity-provider': {
    may: security,
    names: ['operator'],
    prepare: provided,
  },
  'PUT /config/users/{username}/identity': {
    may: security,
    names: ['administrator'],
    path: ({ administrator }) => ({ username: administrator }),
    body: ({ fresh }) => ({ subject: fresh }),
    prepare: provided,
  },
  'DELETE /config/users/{username}/identity': {
    may: security,
    names: ['administrator'],
    path: ({ administrator }) => ({ username: administrator }),
  },
  'GET /.well-known/jwks.json': { may: 'anyone' },
  'DELETE /config/tokens/{token_id}': {
    may: security,
    system: true,
    path: ({ fresh }) => ({ token_id: fresh }),
  },

  'GET /config/service-users': {
    may: security,
    names: ['operator'],
    query: ({ operator }) => ({ operator_id: operator }),
  },
  'POST /config/service-users': {
    may: security,
    names: ['operator'],
    body: ({ fresh, operator }) => ({ username: fresh, password, operator_id: operator }),
  },
  'GET /config/service-users/{username}': {
    may: security,
    names: ['serviceUser'],
    path: ({ serviceUser }) => ({ username: serviceUser }),
  },
  'PATCH /config/service-users/{username}': {
    may: security,
    names: ['serviceUser'],
    path: ({ serviceUser }) => ({ username: serviceUser }),
    body: () => ({ enabled: true }),
  },
  'DELETE /config/service-users/{username}': {
    may: security,
    names: ['serviceUser'],
    path: ({ serviceUser }) => ({ username: serviceUser }),
    prepare: async ({ access: accounts }, { fresh, operator }) => {
      await accounts.createServiceUser({ username: fresh, password, operator, brands: null });
      return { serviceUser: fresh };
    },
  },
  'POST /config/service-users/{username}/keys': {
    may: security,
    names: ['serviceUser'],
    path: ({ serviceUser }) => ({ username: serviceUser }),
  },

  'GET /config/users': { may: security, names: ['owner'], query: ({ owner }) => ({ owner_id: owner }) },
  'POST /config/users': {
    may: security,
    names: ['owner'],
    body: ({ fresh, owner }) => ({ username: fresh, password, roles: ['security'], owners: [owner] }),
  },
  'GET /config/users/{username}': {
    may: security,
    names: ['administrator'],
    path: ({ administrator }) => ({ username: administrator }),
  },
  'PATCH /config/users/{username}': {
    may: security,
    names: ['administrator', 'owner'],
    path: ({ administrator }) => ({ username: administrator }),
    body: ({ owner }) => ({ owners: [owner], roles: ['security'] }),
  },
};
