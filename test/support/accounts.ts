import type { Access } from '../../src/access/access.ts';
import {
  type AdministratorAccount,
  newGeneration,
  type ServiceAccount,
} from '../../src/access/accounts/account-entries.ts';
import type { AdministratorRole } from '../../src/contracts/accounts/users.ts';
import type { Clock, Random } from '../../src/ports.ts';

/**
 * Of `a long password`, and cheap to verify. To hash it for each test would start a thread each time, and take a tenth of a second.
 */
const passwordHash =
  '$argon2id$v=19$m=8,t=1,p=1$ZuKdpJun07nPyv0cnzUkjA$bdp3L/ZdgGuEFWe0oL+4jd7VkzQZ4DI3rg27I8+xknQ';

interface Ports {
  readonly access: Pick<Access, 'accounts'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly random: Random;
}

/** A service user whose password is `a long password`. */
export async function makeServiceUser(
  { access, clock, random }: Ports,
  user: {
    readonly username: string;
    readonly operator: string;
    readonly brands: readonly string[] | null;
    readonly rights?: ServiceAccount['rights'];
  },
): Promise<ServiceAccount> {
  const { username, operator, brands, rights } = user;
  const account: ServiceAccount = {
    username,
    password_hash: passwordHash,
    operator_id: operator,
    brands: brands === null ? null : [...brands],
    ...(rights === undefined ? {} : { rights }),
    ...begun(clock, random),
  };
  if (!(await access.accounts.create('service', username, account))) throw new Error('the name is taken');
  return account;
}

/** An administrator whose password is `a long password`. */
export async function makeAdministrator(
  { access, clock, random }: Ports,
  user: {
    readonly username: string;
    readonly roles: readonly AdministratorRole[];
    readonly owners: readonly string[];
  },
): Promise<AdministratorAccount> {
  const { username, roles, owners } = user;
  const account: AdministratorAccount = {
    username,
    password_hash: passwordHash,
    roles: [...roles],
    owners: [...owners],
    ...begun(clock, random),
  };
  if (!(await access.accounts.create('administrator', username, account)))
    throw new Error('the name is taken');
  return account;
}

function begun(clock: Pick<Clock, 'nowMs'>, random: Random) {
  return { enabled: true, generation: newGeneration(random), created: clock.nowMs() };
}
