import { chromium } from '@playwright/test';

// Playwright starts a new worker after each failure: they all use this one browser.
export default async () => {
  const server = await chromium.launchServer({
    executablePath: process.env.TESTWRIGHT_CHROMIUM,
    args: ['--no-sandbox'],
  });
  process.env.BROWSER = server.wsEndpoint();
  return () => server.close();
};
