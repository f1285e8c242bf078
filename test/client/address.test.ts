import { describe, expect, it } from 'vitest';
import { placeOf, withQuery } from '../../client/src/feed/address.ts';

describe('the place of a feed', () => {
  it.each([
    ['https://pots.example', 'acme/main', 'https://pots.example', '/v1/public/acme/main/events'],
    ['wss://pots.example/', 'acme:main', 'https://pots.example', '/v1/public/acme/main/events'],
    ['http://[::1]:8080/below/it', 'acme/main', 'http://[::1]:8080/below/it', '/v1/public/acme/main/events'],
    [
      'https://pots.example/v1/public/acme/main/events',
      undefined,
      'https://pots.example',
      '/v1/public/acme/main/events',
    ],
    ['https://pots.example?x=1#y', 'acme/main', 'https://pots.example', '/v1/public/acme/main/events'],
  ])('%s of %s', (url, brand, service, path) => {
    expect(placeOf({ url, ...(brand === undefined ? {} : { brand }) }, null)).toMatchObject({
      service,
      path,
    });
  });

  it.each([
    ['https://pots.example', 'acme/main', '/events/acme/main'],
    ['https://pots.example/events/acme/main', undefined, '/events/acme/main'],
    ['https://pots.example/event/acme/acme:main', undefined, '/events/acme/main'],
    ['wss://pots.example/events/service', undefined, '/events/service'],
  ])('with a credential: %s of %s', (url, brand, path) => {
    const options = { url, ...(brand === undefined ? {} : { brand }) };
    expect(placeOf(options, 'token')).toMatchObject({ service: 'https://pots.example', path });
  });

  it.each([
    ['https://pots.example', undefined],
    ['https://pots.example', 'acme'],
    ['ftp://pots.example', 'acme/main'],
    ['/relative', 'acme/main'],
  ])('is none: %s of %s', (url, brand) => {
    expect(() => placeOf({ url, ...(brand === undefined ? {} : { brand }) }, null)).toThrow(TypeError);
  });

  it('has what is given in its query', () => {
    expect(withQuery('/x', { ticket: 'a&b', currency: undefined })).toBe('/x?ticket=a%26b');
    expect(withQuery('/x', { currency: undefined })).toBe('/x');
  });
});
