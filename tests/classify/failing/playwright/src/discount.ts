type Order = { customer?: { level: string } };

export function discountOf(order: Order): number {
  return order.customer!.level === 'gold' ? 20 : 0;
}
