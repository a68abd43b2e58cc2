export function totalOf(basket) {
  return basket.lines.reduce((sum, line) => sum + line.price * line.count, 0);
}

export function receiptOf(basket) {
  return `${basket.lines.length} lines, ${totalOf(basket)} in all`;
}
