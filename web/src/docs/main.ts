import scalarUrl from 'virtual:scalar';
import { feedsDocument } from './feeds.ts';

interface Scalar {
  createApiReference(element: string, configuration: unknown): void;
}

/** Everything comes from this server: no fonts, proxy, telemetry or services of others. */
const configuration = {
  sources: [
    { title: 'Operations', slug: 'operations', url: '/v1/openapi.json', default: true },
    {
      title: 'Feeds',
      slug: 'feeds',
      content: feedsDocument(await (await fetch('/v1/asyncapi.json')).json()),
    },
  ],
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
  // Tabs that lie outside a narrow screen until they are measured would make the page wider than it.
  customCss: '#app { overflow-x: clip; }',
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: {
    c: true,
    clojure: true,
    csharp: true,
    dart: true,
    fsharp: true,
    go: true,
    http: true,
    java: true,
    kotlin: true,
    objc: true,
    ocaml: true,
    php: true,
    powershell: true,
    python: true,
    r: true,
    ruby: true,
    rust: true,
    swift: true,
    js: ['axios', 'jquery', 'ofetch', 'xhr'],
    node: ['axios', 'fetch', 'ofetch', 'undici'],
    shell: ['httpie', 'wget'],
  },
};

const script = document.createElement('script');
script.src = scalarUrl;
script.onload = () =>
  (window as unknown as { readonly Scalar: Scalar }).Scalar.createApiReference('#app', configuration);
document.head.append(script);
