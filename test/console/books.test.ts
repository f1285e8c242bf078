import { expect, it } from 'vitest';
import { booksEnd, heardOfBooks, onBooksEnd } from '../../console/src/api/books.ts';

it('knows from the answers of the books whether they are behind', () => {
  let changes = 0;
  const stop = onBooksEnd(() => {
    changes += 1;
  });
  const heard = (headers: Record<string, string>) => heardOfBooks(new Headers(headers));
  heard({ 'x-as-of': '0;sequence=1;time=2' });
  expect(booksEnd()).toBe(null);
  heard({ 'x-as-of': '0;sequence=1;time=2', 'x-incomplete': 'lanes 0,2 until 2026-11-29T18:19:45.000Z' });
  expect(booksEnd()).toBe(Date.UTC(2026, 10, 29, 18, 19, 45));
  // A list of live things, which lacks lanes that do not serve, is none of the books.
  heard({ 'x-incomplete': 'lanes 0' });
  expect(booksEnd()).toBe(Date.UTC(2026, 10, 29, 18, 19, 45));
  heard({ 'x-as-of': '', 'x-incomplete': 'lanes 3' });
  expect(booksEnd()).toBe(0);
  heard({ 'x-as-of': '', 'x-incomplete': 'contribution 7' });
  expect(booksEnd()).toBe(null);
  expect(changes).toBe(3);
  stop();
});
