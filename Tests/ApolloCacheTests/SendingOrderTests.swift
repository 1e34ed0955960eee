@testable import ApolloAPI
@testable import ApolloCache
import ResponseStyles
import Testing

@Suite("The order of sending, by itself")
struct SendingOrderModelTests {
  /// Keeps everything for ever, and compares all numbers.
  private struct Naive {
    var written: [RecordField: [UInt64]] = [:]

    mutating func write(
      _ fields: [RecordField], of number: UInt64, _ isMutation: (UInt64) -> Bool
    ) -> [RecordField] {
      let taken = fields.filter { field in
        (written[field] ?? []).allSatisfy { $0 <= number || isMutation(number) && !isMutation($0) }
      }
      for field in taken { written[field, default: []].append(number) }
      return taken
    }
  }

  @Test("Random operations are written as by a model that forgets nothing", arguments: 1...20)
  func random(seed: UInt64) {
    var random = SplitMix(state: seed), order = SendingOrder(), naive = Naive(), underWay: [UInt64] = []
    let isMutation: (UInt64) -> Bool = { $0 % 3 == 0 }, keys = ["a", "b", "c", "d"].map(FieldKey.forName)
    let there = ObjectRecord.make(type: .unknown, capacity: keys.count)
    for key in keys { there.append(ObjectRecord.Field(key, .int(1))) }
    for _ in 0..<400 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: underWay.append(order.begin())
      default:
        guard let number = underWay.randomElement(using: &random) else { continue }
        let fields = keys.filter { _ in Bool.random(using: &random) }
        let wanted = Set(naive.write(fields.map { RecordField(record: 5, key: $0) }, of: number, isMutation).map(\.key))
        let record = ObjectRecord.make(type: .unknown, capacity: fields.count)
        for field in fields { record.append(ObjectRecord.Field(field, .int(1))) }
        var taken = Set(fields)
        if var write = order.write(of: number, isMutation: isMutation(number)) {
          taken = Set(write.part(of: record, 5, over: there).fields.map(\.key))
          if write.notes { order.note(write) }
        }
        #expect(taken == wanted)
        guard Bool.random(using: &random) else { continue }
        order.end(number)
        underWay.removeAll { $0 == number }
        if underWay.isEmpty { #expect(order.written.isEmpty) }
      }
    }
  }

  private static func object(_ type: String, _ fields: [(String, RecordValue)]) -> RecordValue {
    let record = ObjectRecord.make(type: .lookUp(type), capacity: fields.count)
    for (name, value) in fields { record.append(ObjectRecord.Field(.forName(name), value)) }
    return .object(record)
  }

  /// What is written of an earlier answer with one field, after a later one has written the field.
  private static func part(of new: RecordValue, over there: RecordValue?) -> RecordValue? {
    func record(_ value: RecordValue?) -> ObjectRecord {
      let record = ObjectRecord.make(type: .unknown, capacity: 1)
      if let value { record.append(ObjectRecord.Field(.forName("status"), value)) }
      return record
    }
    var order = SendingOrder()
    let first = order.begin(), second = order.begin()
    if var write = order.write(of: second, isMutation: false) {
      _ = write.part(of: record(there ?? .null), 5, over: nil)
      order.note(write)
    }
    var write = order.write(of: first, isMutation: false)
    return write?.part(of: record(new), 5, over: record(there)).fields.first?.value
  }

  @Test("Of an object without a key, only what is new is taken, if it has the same type, and pages")
  func objects() {
    let pages = RecordValue.incoming(
      IncomingValue([], .pages(PaginationPolicy(style: .relay, arguments: [])), in: .forName("feed")))
    let there = Self.object("Active", [("since", .int(1)), ("feed", .null)])
    #expect(Self.part(of: Self.object("Suspended", [("since", .int(9)), ("plan", .int(2))]), over: there) == nil)
    #expect(Self.part(of: .null, over: there) == nil)
    #expect(Self.part(of: .int(2), over: nil)?.isSame(as: .int(2)) == true, "it was removed since")
    guard
      case .object(let part)? = Self.part(
        of: Self.object("Active", [("since", .int(9)), ("plan", .int(2)), ("feed", pages)]), over: there)
    else { return #expect(Bool(false), "there is a part") }
    #expect(part.fields.map(\.key) == [.forName("plan"), .forName("feed")])
  }
}
