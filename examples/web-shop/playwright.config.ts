import { defineConfig } from '@playwright/test';

const port = Number(process.env.PORT ?? 4173);

export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  expect: { timeout: 2000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
    // Playwright's own browser, unless you name another one.
    launchOptions: { executablePath: process.env.TESTWRIGHT_CHROMIUM || undefined },
  },
  webServer: {
    command: 'node server.js',
    env: { PORT: String(port) },
    url: `http://127.0.0.1:${port}`,
    reuseExistingServer: false,
  },
});
