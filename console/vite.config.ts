import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compressed } from '../web/build/compressed.ts';

/** The console: built into console/dist, which the gateway serves below /console/. Nothing is inlined: `self` is the policy. */
export default defineConfig({
  base: '/console/',
  plugins: [react(), compressed()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
