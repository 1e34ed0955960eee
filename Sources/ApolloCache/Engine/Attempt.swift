/// What came of work on a table.
enum Attempt<Value> {
  case done(Value)
  /// A backend has to be asked for these records; then the work can be tried again.
  case missing(Set<Int32>)
}
