export const packs = {};
