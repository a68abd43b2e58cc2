const { count } = require('../src/counting');

test('a module that was moved', () => {
  expect(count()).toBe(1);
});
