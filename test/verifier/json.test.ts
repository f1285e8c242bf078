import { describe, expect, it } from 'vitest';
import { DuplicateMember, duplicateMember, parsePublic } from '../../verifier/src/json.ts';

describe('a member that an object names twice', () => {
  it.each([
    ['{"a":1,"a":1}', 'a'],
    ['{"a":1,"b":{"c":[],"c":null}}', 'c'],
    ['[{"a":1},{"b":"}","b":2}]', 'b'],
    ['{"a":[{"x":1}],"a":2}', 'a'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['{"\\"":1,"\\"":2}', '"'],
    ['{"":1,"":2}', ''],
    [' { "a" : 1 , "a" : 2 } ', 'a'],
    ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ])('is found: %s', (text, name) => {
    expect(duplicateMember(text)).toBe(name);
    expect(() => parsePublic(text)).toThrow(DuplicateMember);
  });

  it.each([
    '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":1}]}',
    '["a","a",{"a":"a"}]',
    '{"a":"a","b":"\\\\","c":"{\\"a\\":1,\\"a\\":2}"}',
    '"a"',
    '{}',
  ])('is not there: %s', (text) => {
    expect(duplicateMember(text)).toBeNull();
    expect(parsePublic(text)).toEqual(JSON.parse(text));
  });

  it('is no matter where the text is no JSON at all', () => {
    expect(() => parsePublic('{"a":1,"a"}')).toThrow(SyntaxError);
  });
});
