declare module '@playwright/test/cli';
