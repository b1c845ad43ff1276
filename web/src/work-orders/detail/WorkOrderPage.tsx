export function WorkOrderPage() {
  return null
}
