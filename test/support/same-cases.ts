/**
 * In CI, properties are tried on the same cases in every run: what fails there is the change's, not chance's. Everywhere else each
 * run looks at cases of its own.
 */
if (process.env.CI) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: 20_261_121 });
}
