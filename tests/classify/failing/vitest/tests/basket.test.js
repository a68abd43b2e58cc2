import { describe, expect, test, vi } from 'vitest';
import { receiptOf, totalOf } from '../src/basket.js';

const TEA = { lines: [{ price: 3, count: 2 }] };

describe('a basket', () => {
  test('has a total', () => {
    expect(totalOf(TEA)).toBe(6);
  });

  test('another total', () => {
    expect(totalOf(TEA)).toBe(7);
  });

  test('a call that did not come', () => {
    const listener = vi.fn();
    totalOf(TEA);
    expect(listener).toHaveBeenCalledTimes(1);
  });

  test('a receipt that differs from the stored one', () => {
    expect(receiptOf(TEA)).toMatchInlineSnapshot(`"1 lines, 7 in all"`);
  });

  test('a product function that breaks', () => {
    expect(totalOf({})).toBe(0);
  });

  test('a mistake in the test', () => {
    const baskets = new Map();
    expect(baskets.get('tea').lines).toHaveLength(1);
  });

  test('an answer that never comes', async () => {
    await new Promise(() => {});
  });

  test('a setting that is missing', () => {
    if (!process.env.SHOP_API_TOKEN) throw new Error('SHOP_API_TOKEN is not set');
  });
});
