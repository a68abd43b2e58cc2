module.exports = { rootDir: __dirname, testTimeout: 200, ci: true };
