export * from './properties.js';
