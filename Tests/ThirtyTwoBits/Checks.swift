// What has to hold where `Int` has 32 bits. It is compiled with the sources of ApolloAPI, in one module, by
// scripts/check-32-bits.py.

nonisolated(unsafe) private var passed = 0

private func expect(_ condition: Bool, _ what: String) {
  if condition { passed += 1 } else { print("FAILED: \(what)") }
}

@_expose(wasm, "_start") @_cdecl("_start") public func start() {
  expect(Int.bitWidth == 32, "Int has 32 bits")
  readsIntegers()
  readsOtherIntegers()
  keepsRecords()
  writesNumbers()
  parsesTables()
  mergesPages()
  countsSeconds()
  readsBlobs()
  print("\(passed) passed")
}

/// A model of one field, and one of several.
private struct One<Value: __OutputValue>: SelectionSet {
  var value: Value

  static var __fields: __FieldTable { __FieldTable(version: 1, "value") }
  init(__reading object: inout __ObjectReader) throws(__ReadError) { value = try object.read(0) }
  func __writeFields(to writer: inout __JSONWriter) {}
}

private struct Counts: SelectionSet {
  var likes: Int
  var views: UInt32
  var rating: Double

  static var __fields: __FieldTable { __FieldTable(version: 1, "likes views rating") }
  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    likes = try object.read(0)
    views = try object.read(1)
    rating = try object.read(2)
  }
  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, likes)
    writer.write(1, views)
    writer.write(2, rating)
  }
}

private enum Answer<Value> {
  case value(Value)
  case tooLarge, other
}

private func read<Value: __OutputValue>(_ type: Value.Type, _ json: String) -> Answer<Value> {
  do throws(ResponseDecodingError) {
    return .value(
      try ResponseReader.readObject(One<Value>.self, from: ResponseBytes("{\"value\":\(json)}".utf8)).data.value)
  } catch {
    if case .numberOutOfRange = error.reason { return .tooLarge }
    return .other
  }
}

private func expect<Value: __OutputValue & FixedWidthInteger>(_ type: Value.Type, _ json: String, is expected: Value) {
  if case .value(let value) = read(type, json), value == expected { return expect(true, "") }
  expect(false, "\(json) is read as the number that it is")
}

private func expect<Value: __OutputValue & FixedWidthInteger>(tooLargeFor type: Value.Type, _ json: String) {
  if case .tooLarge = read(type, json) { return expect(true, "") }
  expect(false, "\(json) is refused, as a number that is out of range")
}

private func readsIntegers() {
  // All lengths of digits, around each power of ten and of two.
  var number: Int64 = 1
  for base in [10, 2] as [Int64] {
    number = 1
    while number < Int64.max / 10 {
      for value in [number - 1, number, number + 1, -number, -number - 1] {
        if let fitting = Int(exactly: value) {
          expect(Int.self, "\(value)", is: fitting)
        } else {
          expect(tooLargeFor: Int.self, "\(value)")
        }
      }
      number *= base
    }
  }
  for json in ["4294967297", "1732540800000", "12345678901234567890", "-99999999999999999999", "1e10", "3000000000.0"] {
    expect(tooLargeFor: Int.self, json)
  }
  expect(Int.self, "1e3", is: 1000)
  expect(Int.self, "2147483647.0", is: .max)
}

private func readsOtherIntegers() {
  expect(UInt32.self, "4294967295", is: .max)
  expect(UInt32.self, "2147483648", is: 1 << 31 as UInt32)
  expect(tooLargeFor: UInt32.self, "4294967296")
  expect(tooLargeFor: UInt32.self, "-1")
  expect(UInt.self, "4294967295", is: .max)
  expect(Int32.self, "-2147483648", is: .min)
  expect(tooLargeFor: Int32.self, "2147483648")
  expect(tooLargeFor: UInt16.self, "4295032832")
}

private func keepsRecords() {
  let json = #"{"likes":2147483647,"views":4000000000,"rating":3000000000}"#
  guard let read = try? ResponseReader.readObject(Counts.self, from: ResponseBytes(json.utf8), rootKey: "QUERY_ROOT"),
    let record = read.records.take()?.records[0]
  else { return expect(false, "records are made of a response") }
  var snapshot = RecordSnapshot()
  snapshot.withChunk(of: 0) { chunk, place in chunk.records[place] = record }
  let loaded = ResponseReader.load(Counts.self, root: 0, from: snapshot, variables: .none)
  guard case .success(let counts) = loaded.data else { return expect(false, "a model is read from records") }
  expect(
    counts.likes == .max && counts.views == 4_000_000_000 as UInt32 && counts.rating == 3e9, "records hold numbers")
  var writer = __JSONWriter()
  counts.__write(to: &writer)
  expect(writer.text == json, "a model is written as it was read: \(writer.text)")

  // Keys, of which there are many: their table of hashes grows.
  for number in 0..<5000 as Range<Int32> {
    expect(snapshot.insert("Human:\(number)") == number + 3, "keys have numbers")
  }
  for number in 0..<5000 as Range<Int32> {
    expect(snapshot.number(of: "Human:\(number)") == number + 3, "keys are found")
  }
}

private func written(_ write: (inout __JSONWriter) -> Void) -> String {
  var writer = __JSONWriter()
  write(&writer)
  return writer.text
}

private func writesNumbers() {
  for (value, text) in [
    (5, "5"), (0, "0"), (-7, "-7"), (3e9, "3000000000"), (-3e9, "-3000000000"),
    (9_007_199_254_740_991, "9007199254740991"),
    (0.5, "0.5"),
  ] as [(Double, String)] {
    expect(written { $0.write(value) } == text, "\(text) is written with the same bytes as elsewhere")
  }
  expect(written { $0.write(-0.0) } == "-0.0", "zero keeps its sign")
  expect(
    written { $0.write(Int.min) } == "-2147483648" && written { $0.write(Int.max) } == "2147483647", "limits of Int")
  expect(written { UInt32.max.__write(to: &$0) } == "4294967295", "UInt32 is written as a number")
  expect(written { UInt.max.__write(to: &$0) } == "4294967295", "UInt is written as a number")
  expect(written { Int32.min.__write(to: &$0) } == "-2147483648", "limits of Int32")
}

private func table(_ style: String) -> ParsedTable? {
  try? FieldTableParser.parse(Array("list%\(style):page,size".utf8), version: __FieldTable.newestVersion)
}

private func parsesTables() {
  for (style, first) in [("p0", 0), ("p1", 1), ("p2147483647", Int.max)] {
    guard case .page(first)? = table(style)?.fields.first?.pagination?.style else {
      expect(false, "a table with pages is parsed: \(style)")
      continue
    }
    expect(true, "")
  }
  for style in ["p2147483648", "p4294967296", "p-1", "p99999999999999999999"] {
    expect(table(style) == nil, "\(style) is refused")
  }
}

private func mergesPages() {
  expect(PaginationPolicy.limited(5) == 5 && PaginationPolicy.limited(-1) == 0, "numbers of pages stay what they are")
  expect(PaginationPolicy.limited(1 << 40 as Int64) == .max, "numbers beyond all lists are the greatest one")
  func list(_ count: Int) -> RecordValue { .list((0..<count).map { .int($0) }) }
  func count(_ value: RecordValue?) -> Int? { Elements(value)?.count }
  let whole = ListMerge.part(offset: 10, limit: 5, true).merge(list(5), with: list(10))
  expect(count(whole) == 15, "a page comes behind what is there")
  expect(
    count(ListMerge.page(number: 2, size: 5, true).merge(list(5), with: list(10))) == 15, "so does one with a number")
  // The place of such a page is beyond 32 bits.
  let far = ListMerge.page(number: 100_000, size: 100_000, true).merge(list(5), with: list(10))
  expect(count(far) == nil, "a page far behind the list is not taken")
}

private func countsSeconds() {
  expect(wholeSeconds(1_732_540_800.9) == 1_732_540_800 as Int64, "a time before 2038")
  expect(wholeSeconds(4_102_444_800) == 4_102_444_800 as Int64, "a time in 2100")
  expect(wholeSeconds(-1.5) == -1 && wholeSeconds(.nan) == 0, "odd times")
  expect(wholeSeconds(1e300) == .max && wholeSeconds(-.infinity) == .min, "times that are not possible")
}

private func readsBlobs() {
  let numbers: [UInt64] = [0, 127, 128, 1 << 31, 1 << 32, 1 << 63, .max]
  let signed: [Int64] = [0, -1, 1 << 31, -1 << 31, 1 << 40, .min, .max]
  var writer = BlobWriter()
  for number in numbers { writer.write(number) }
  for number in signed { writer.write(signed: number) }
  writer.write(3e9)
  writer.write("text")
  writer.write(1 << 32 as UInt64)
  writer.write(.max as UInt64)
  writer.writeChecksum(for: "key")
  do throws(BlobReader.Problem) {
    var reader = try BlobReader(writer.bytes, for: "key")
    for number in numbers { expect(try reader.number() == number, "a number of a blob") }
    for number in signed { expect(try reader.signed() == number, "a number with a sign") }
    expect(try reader.double() == 3e9, "a double")
    expect(try reader.text() == "text", "a text")
    // Lengths beyond 32 bits.
    expect((try? reader.text()) == nil && (try? reader.count()) == nil, "a length that is not possible is refused")
  } catch {
    expect(false, "a blob is read: \(error.description)")
  }
}
