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
          taken = Set(write.part(of: record, 5, over: nil).fields.map(\.key))
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
}
