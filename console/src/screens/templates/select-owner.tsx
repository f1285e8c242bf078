import { useQuery } from '@tanstack/react-query';
import { operatorsQuery } from '../../api/rows.ts';
import { Loading, Trouble } from '../../parts/states.tsx';

/** Whose something is: an operator, or one of its brands. */
export function SelectOwner({
  chosen,
  choose,
}: {
  readonly chosen?: string | undefined;
  readonly choose?: (owner: string) => void;
}) {
  const { data, error } = useQuery(operatorsQuery);
  if (data === undefined) return error === null ? <Loading what="owners" /> : <Trouble error={error} />;
  return (
    <label>
      Owner
      <select
        name="owner"
        required
        defaultValue={chosen}
        onChange={(event) => choose?.(event.currentTarget.value)}
      >
        {data.flatMap(({ id, name, brands }) => [
          <option key={id} value={id}>{`${name} (${id})`}</option>,
          ...brands.map((brand) => (
            <option key={brand.path} value={brand.path}>{`${brand.name} (${brand.path})`}</option>
          )),
        ])}
      </select>
    </label>
  );
}
