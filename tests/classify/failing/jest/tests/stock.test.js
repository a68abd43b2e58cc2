const { left, label } = require('../src/stock');

describe('stock', () => {
  test('is counted', () => {
    expect(left({ shelves: { tea: [1, 2] } }, 'tea')).toBe(2);
  });

  test('another count', () => {
    expect(left({ shelves: { tea: [1, 2] } }, 'tea')).toBe(3);
  });

  test('a label of another shape', () => {
    expect(label('tea')).toEqual({ article: 'tea', size: 'small' });
  });

  test('a label that differs from the stored one', () => {
    expect(label('tea')).toMatchSnapshot();
  });

  test('a product function that breaks', () => {
    expect(left({ shelves: {} }, 'tea')).toBe(0);
  });

  test('a mistake in the test', () => {
    const counted = undefined;
    expect(counted.tea).toBe(2);
  });

  test('a stock that is never counted', () => new Promise(() => {}));

  test('a count that took too long', () => {
    const started = performance.now();
    left({ shelves: { tea: [] } }, 'tea');
    const elapsed = performance.now() - started;
    expect(elapsed).toBeLessThan(0);
  });
});
