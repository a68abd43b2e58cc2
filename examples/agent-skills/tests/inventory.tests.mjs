import { Inventory } from '../.AchillesSkills/inventory/inventory.mjs';

export async function runTests() {
  const inventory = new Inventory();
  inventory.put('lamp', 2);
  const checks = [
    ['an unknown item is not there', inventory.count('rope') === 0],
    ['what was put in can be taken', await inventory.take('lamp')],
    ['one is left', inventory.count('lamp') === 1],
    ['more than there is cannot be taken', !(await inventory.take('lamp', 5))],
    ['and then nothing is taken', inventory.count('lamp') === 1],
  ];
  const errors = checks.filter(([, holds]) => !holds).map(([name]) => name);
  return { passed: checks.length - errors.length, failed: errors.length, errors };
}
