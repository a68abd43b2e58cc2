import { defineConfig } from '@playwright/test';

export default defineConfig({
  testDir: 'tests',
  globalSetup: './browser.ts',
  workers: 1,
  timeout: 20_000,
  expect: { timeout: 800 },
  snapshotPathTemplate: '{testDir}/{testFileName}-snapshots/{arg}{ext}',
  use: {
    actionTimeout: 800,
    connectOptions: process.env.BROWSER ? { wsEndpoint: process.env.BROWSER } : undefined,
  },
});
