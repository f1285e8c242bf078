import { useQuery } from '@tanstack/react-query';
import { operatorsQuery } from '../../api/rows.ts';
import { Loading, Trouble } from '../../parts/states.tsx';

/** One of the operators that the person sees. */
export function SelectOperator({ chosen }: { readonly chosen?: string | undefined }) {
  const { data, error } = useQuery(operatorsQuery);
  if (data === undefined) return error === null ? <Loading what="operators" /> : <Trouble error={error} />;
  return (
    <label>
      Operator
      <select name="operator" required defaultValue={chosen}>
        {data.map(({ id, name }) => (
          <option key={id} value={id}>
            {`${name} (${id})`}
          </option>
        ))}
      </select>
    </label>
  );
}
