/** What a configuration that was taken costs or risks. */
export function Warnings({ of }: { readonly of: Response }) {
  const texts = of.headers.get('x-configuration-warnings')?.split('; ') ?? [];
  return texts.map((text) => (
    <p key={text} className="warning">
      {text}
    </p>
  ));
}
