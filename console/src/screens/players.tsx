import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { operatorsQuery } from '../api/rows.ts';
import { Heading, Loading, Trouble } from '../parts/states.tsx';

/** Looks a player up by brand and id. */
export default function Players() {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(operatorsQuery);
  return (
    <>
      <Heading title="Players" />
      {data === undefined ? (
        error === null ? (
          <Loading what="brands" />
        ) : (
          <Trouble error={error} again={() => void refetch()} />
        )
      ) : (
        <form
          className="filters"
          onSubmit={(event) => {
            event.preventDefault();
            const fields = new FormData(event.currentTarget);
            const params = {
              brand: String(fields.get('brand')),
              player: String(fields.get('player')).trim(),
            };
            void navigate({ to: '/players/$brand/$player', params });
          }}
        >
          <label>
            Brand
            <select name="brand" required>
              {data.flatMap(({ brands }) =>
                brands.map(({ path, name }) => (
                  <option key={path} value={path}>
                    {`${name} (${path})`}
                  </option>
                )),
              )}
            </select>
          </label>
          <label>
            Player
            <input name="player" required dir="auto" placeholder="The whole id, to the letter" />
          </label>
          <button type="submit" className="primary">
            Show
          </button>
        </form>
      )}
    </>
  );
}
