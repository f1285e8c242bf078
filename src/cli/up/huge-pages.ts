const tunables = 'GLIBC_TUNABLES';
const hugePages = 'glibc.malloc.hugetlb=1';

/**
 * The environment of a process that puts its large tables into huge pages, if kernel and C library (glibc
 * 2.35 or newer) support them. A contribution reads several tables at random places, and finding the page of
 * a place costs as much as reading it.
 */
export function withHugePages(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = environment[tunables];
  return { ...environment, [tunables]: given === undefined ? hugePages : `${given}:${hugePages}` };
}
