export interface Organization {
  id: string
  name: string
}

export interface User {
  id: string
  name: string
  email: string
}
