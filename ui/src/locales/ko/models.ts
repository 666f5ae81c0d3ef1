export const models = {};
