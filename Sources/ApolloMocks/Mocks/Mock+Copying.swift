import ApolloAPI

/// A value with mocks in it: a mock, a list of mocks, and so on.
protocol MockHolder: __JSONWritable {
  /// The mocks, in order. Those inside of them are not among these.
  var mocks: [any AnyMock] { get }

  /// The value with copies of the mocks.
  ///
  /// - Parameter copies: The copies that there are already.
  /// - Returns: The copy.
  func copy(_ copies: MockCopies) -> Self

  /// The value as JSON, with the mocks that are set.
  ///
  /// - Parameter outer: The mocks around this value.
  /// - Returns: The JSON.
  func json(within outer: Set<ObjectIdentifier>) -> JSONValue
}

/// The copies of the mocks that contain each other.
final class MockCopies {
  fileprivate var all: [ObjectIdentifier: AnyObject] = [:]
}

extension Mock: MockHolder {
  var mocks: [any AnyMock] { [self] }

  func copy(_ copies: MockCopies) -> Mock<O> {
    if let copy = copies.all[ObjectIdentifier(self)] as? Mock<O> { return copy }
    let copy = Mock<O>()
    copies.all[ObjectIdentifier(self)] = copy
    copy.values = values.mapValues { value -> any __JSONWritable in
      if let holder = value as? any MockHolder { return holder.copy(copies) }
      return value is MockError ? value : WrittenValue.writing(value)
    }
    return copy
  }
}

extension InterfaceMock: MockHolder {
  var mocks: [any AnyMock] { [mock] }

  func copy(_ copies: MockCopies) -> InterfaceMock {
    InterfaceMock((mock as? any MockHolder)?.copy(copies) as? any AnyMock ?? mock)
  }

  func json(within outer: Set<ObjectIdentifier>) -> JSONValue {
    (mock as? any MockHolder)?.json(within: outer) ?? JSONNull()
  }
}

extension Array: MockHolder where Element: MockHolder {
  var mocks: [any AnyMock] { flatMap { $0.mocks } }
  func copy(_ copies: MockCopies) -> [Element] { map { $0.copy(copies) } }
  func json(within outer: Set<ObjectIdentifier>) -> JSONValue { map { $0.json(within: outer) } }
}

extension Optional: MockHolder where Wrapped: MockHolder {
  var mocks: [any AnyMock] { map { $0.mocks } ?? [] }
  func copy(_ copies: MockCopies) -> Wrapped? { map { $0.copy(copies) } }
  func json(within outer: Set<ObjectIdentifier>) -> JSONValue { map { $0.json(within: outer) } ?? JSONNull() }
}

/// A value that is JSON already.
private struct WrittenValue: __JSONWritable {
  let json: [UInt8]

  /// A value as JSON; the value itself if it has no form in JSON.
  static func writing(_ value: any __JSONWritable) -> any __JSONWritable {
    var writer = __JSONWriter()
    value.__write(to: &writer)
    return writer.failure == nil ? WrittenValue(json: writer.bytes) : value
  }

  func __write(to writer: inout __JSONWriter) { writer.writeRaw(json) }
}
