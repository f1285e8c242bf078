import { expect, it } from 'vitest';
import { booleanOf, decimalOf, isReplaced } from '../../../src/lib/csv/spreadsheet.ts';

it.each([
  ['true', true],
  ['TRUE', true],
  ['Wahr', true],
  ['VRAI', true],
  ['false', false],
  ['FALSCH', false],
  ['FALSO', false],
  ['1', null],
  ['0', null],
  ['yes', null],
  ['', null],
])('%j as a boolean is %j', (cell, value) => {
  expect(booleanOf(cell)).toBe(value);
});

it.each([
  ['1.5', '1.5'],
  ['1,5', '1.5'],
  ['1234,25', '1234.25'],
  ['0,12345678', '0.12345678'],
  ['-1,5', '-1.5'],
  ['1,500', null],
  ['1,234.50', null],
  ['1.234,50', null],
  ['1,234,567', null],
  ['1.0E+05', null],
  ['1,23457E+14', null],
  ['#NAME?', null],
  // The service says what it thinks of these.
  ['abc', 'abc'],
  ['1 000', '1 000'],
])('%j as a decimal is %j', (cell, value) => {
  expect(decimalOf(cell)).toBe(value);
});

it.each([
  '1.23457E+19',
  '1,23457E+19',
  '1.23456789012346E+019',
  '1E+20',
  '1.2e-07',
  '#NAME?',
  '#N/A',
  '#DIV/0!',
  '#WERT!',
  'Err:508',
])('%s is not what it was', (cell) => {
  expect(isReplaced(cell)).toBe(true);
});

it.each(['1E5', '12e4', 'E+5', 'ab1E+5', '12345678901234567890', '#2PP', '#', 'Err:ann'])(
  '%s may be an id',
  (cell) => {
    expect(isReplaced(cell)).toBe(false);
  },
);
