import type { Answer, Api } from '../../../tools/demo/api.ts';

interface Source {
  readonly owner_id: string;
  readonly source_id: string;
  readonly jackpots: { instance_id: string; priority: number }[];
}

/** As much of the administration's routes as seeding uses, in memory; remembers every change that was asked for. */
export function createFakeApi(): Api & { readonly changes: string[]; slowActivations: number } {
  const brands = new Map<string, Record<string, unknown>>();
  const templates = new Map<string, unknown>();
  const instances: { id: string; template_id: string; name: string; status: string }[] = [];
  const sources: Source[] = [];
  const services = new Map<string, string>();
  let operatorExists = false;
  const changes: string[] = [];

  const api = {
    changes,
    /** How many times an activation is refused because the first epochs are not committed yet. */
    slowActivations: 0,
    async call(method: string, path: string, body?: unknown): Promise<Answer> {
      const login = path.startsWith('/auth') || path.startsWith('/v1/auth');
      if (method !== 'GET' && !login) changes.push(`${method} ${path}`);
      return answer(method, path.split('?')[0] ?? '', body);
    },
  };

  // biome-ignore lint/suspicious/noExplicitAny: bodies of many routes, read as the routes document them.
  function answer(method: string, path: string, body: any): Answer {
    if (method === 'GET') return read(path);
    switch (`${method} ${path}`) {
      case 'POST /auth/admin':
        return { status: 200, body: { token: 'admin-token' } };
      case 'POST /v1/auth/service':
        if (services.get(body.username) !== body.password) return refused(401, 'invalid_credentials');
        return { status: 200, body: { token: 'service-token' } };
      case 'POST /config/operators':
        operatorExists = true;
        return { status: 200, body: { success: ['demo'], failed: [] } };
      case 'POST /config/operators/demo/brands':
        for (const brand of body) brands.set(brand.id, brand);
        return { status: 200, body: { success: [], failed: [] } };
      case 'POST /config/sources':
        for (const { owner_id, source_id } of body) sources.push({ owner_id, source_id, jackpots: [] });
        return { status: 200, body: { succeeded: [], duplicated: [], failed: [] } };
      case 'POST /config/sources/assign':
        for (const source of sources)
          if (body.owner_id === source.owner_id && body.source_id.includes(source.source_id))
            source.jackpots.push({ instance_id: body.instance_id, priority: 0 });
        return { status: 204, body: null };
      case 'POST /config/templates':
        templates.set(body.id, body);
        return { status: 201, body };
      case 'POST /config/instances':
        instances.unshift({
          id: `i-${instances.length}-${body.template_id}`,
          template_id: body.template_id,
          name: body.name,
          status: 'Pending',
        });
        return { status: 201, body: instances[0] };
      case 'POST /config/service-users':
        services.set(body.username, body.password);
        return { status: 201, body: { username: body.username } };
    }
    const brand = brands.get(/^\/config\/operators\/demo\/brands\/([^/]+)$/.exec(path)?.[1] ?? '');
    if (brand !== undefined) return { status: 200, body: Object.assign(brand, body) };
    const activated = /^\/config\/instances\/([^/]+)\/status$/.exec(path)?.[1];
    if (activated !== undefined) return activate(activated);
    return { status: 204, body: null };
  }

  function read(path: string): Answer {
    if (path === '/config/instances') return { status: 200, body: instances };
    if (path === '/config/sources') return { status: 200, body: sources };
    if (path === '/config/operators/demo') {
      if (!operatorExists) return refused(404, 'operator_not_found');
      return { status: 200, body: { id: 'demo', brands: [...brands.values()] } };
    }
    const one = instances.find((instance) => path === `/config/instances/${instance.id}`);
    if (one !== undefined) return { status: 200, body: one };
    const template = templates.get(path.split('/').at(-1) ?? '');
    return template === undefined ? refused(404, 'template_not_found') : { status: 200, body: template };
  }

  function activate(id: string): Answer {
    const instance = instances.find((candidate) => candidate.id === id);
    if (instance === undefined) return refused(404, 'instance_not_found');
    if (api.slowActivations-- > 0) return refused(422, 'invalid_transition');
    instance.status = 'Active';
    return { status: 200, body: instance };
  }

  return api;
}

function refused(status: number, code: string): Answer {
  return { status, body: { status_code: status, code, message: code } };
}
