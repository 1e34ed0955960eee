extension __JSONWriter {
  /// Writes a fragment with `@defer`: its fields if it is there, and otherwise its state.
  public mutating func write<Value: __FieldSet>(
    _ i: Int, deferred label: StaticString, _ value: DeferredFragment<Value>
  ) {
    switch value {
    case .ready(let fragment): write(fragment: fragment)
    // The state of a fragment is not a field of a record.
    case _ where recorder != nil: break
    case .pending: write(i, Marks(label: label, mark: .pending))
    case .notExecuted: write(i, Marks(label: label, mark: .notExecuted))
    case .failed(let errors): write(i, Marks(label: label, mark: .failed(errors)))
    }
  }

  private struct Marks: __JSONWritable {
    var label: StaticString
    var mark: DeferMark

    func __write(to writer: inout __JSONWriter) {
      writer.writeObject { $0.write(member: label.description, mark) }
    }
  }
}
