export type Random = () => number;

export const pick = <Item>(random: Random, items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;

export const chance = (random: Random, probability: number): boolean => random() < probability;
