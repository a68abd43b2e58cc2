import { defineConfig } from '@playwright/test';

const port = Number(process.env.PORT ?? 4173);
const patience = Number(process.env.PATIENCE ?? 2000); // milliseconds; a slow machine may need more

export default defineConfig({
  testDir: 'tests',
  reporter: 'list',
  expect: { timeout: patience },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    actionTimeout: patience,
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
