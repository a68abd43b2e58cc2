import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  globalSetup: './browser.ts',
  workers: 1,
  timeout: 5000,
  expect: { timeout: 250 },
  snapshotPathTemplate: '{testDir}/{testFileName}-snapshots/{arg}{ext}',
  use: {
    actionTimeout: 250,
    navigationTimeout: 400,
    connectOptions: process.env.BROWSER ? { wsEndpoint: process.env.BROWSER } : undefined,
  },
});
