import { resolve } from 'node:path';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { compressed } from './build/compressed.ts';
import { scalar } from './build/scalar.ts';

const pages = ['index', 'verify', 'docs', 'gallery'];

/** The pages: built into web/dist, which the gateway serves. Nothing is inlined, so that `self` suffices as policy. */
export default defineConfig({
  plugins: [preact(), scalar(), compressed()],
  // Its source: nothing has to be built before the page.
  resolve: { alias: { '@potstream/client': resolve(import.meta.dirname, '../client/src/index.ts') } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: Object.fromEntries(pages.map((page) => [page, resolve(import.meta.dirname, `${page}.html`)])),
    },
  },
  worker: { format: 'es' },
});
