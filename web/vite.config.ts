import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';

/** The page: built into web/dist, which the gateway serves at `/`. Nothing is inlined, so that `self` suffices as policy. */
export default defineConfig({
  plugins: [preact()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
