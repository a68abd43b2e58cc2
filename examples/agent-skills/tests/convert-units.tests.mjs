import assert from 'node:assert/strict';
import { convert } from '../skills/convert-units/convert.mjs';

const checks = {
  'a kilometre is a thousand metres': () => assert.equal(convert(1, 'km', 'm'), 1000),
  'a mile is 5280 feet': () => assert.ok(Math.abs(convert(1, 'mi', 'ft') - 5280) < 1e-6),
  'there and back again': () => assert.ok(Math.abs(convert(convert(42, 'ft', 'km'), 'km', 'ft') - 42) < 1e-9),
  'an unknown unit is refused': () => assert.throws(() => convert(1, 'cubit', 'm'), /unknown unit: cubit/),
};

export default function () {
  const result = { passed: 0, failed: 0, errors: [] };
  for (const [name, check] of Object.entries(checks)) {
    try {
      check();
      result.passed += 1;
    } catch (error) {
      result.failed += 1;
      result.errors.push(`${name}: ${error.message}`);
    }
  }
  return result;
}
