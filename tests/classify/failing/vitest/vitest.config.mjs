export default { test: { include: ['tests/*.test.js'], testTimeout: 200 } };
