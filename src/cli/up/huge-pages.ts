const tunables = 'GLIBC_TUNABLES';
const hugePages = 'glibc.malloc.hugetlb=1';

/**
 * The environment of a process whose large tables shall lie in huge pages, where kernel and C library (glibc from 2.35 on) know them:
 * a contribution looks into several tables at places that nobody can foresee, and finding each place's page costs as much as the place.
 */
export function withHugePages(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = environment[tunables];
  return { ...environment, [tunables]: given === undefined ? hugePages : `${given}:${hugePages}` };
}
