import { expect, test } from 'vitest';
import { format } from 'a-package-that-is-not-installed';

test('a package that is not installed', () => {
  expect(format(3)).toBe('3.00');
});
