import Apollo
import Foundation

func benchmarks(_ data: BenchmarkData) -> [Benchmark] {
  var cases: [Benchmark] = []
  for size in ["people_large", "people_medium", "people_small"] {
    let bytes = data[size]
    cases.append(
      Benchmark(name: "\(size) decode", bytes: bytes.count, baseline: "\(size) JSONDecoder") {
        blackHole(decode(UsersQuery.Data.self, bytes))
      })
    cases.append(
      Benchmark(name: "\(size) decode fragments", bytes: bytes.count) {
        blackHole(decode(UsersByFragmentsQuery.Data.self, bytes))
      })
    cases.append(
      Benchmark(name: "\(size) decode + records, empty store", bytes: bytes.count) {
        write(bytes, to: ApolloStore())
      })
    let store = ApolloStore()
    write(bytes, to: store)
    cases.append(
      Benchmark(name: "\(size) decode + records, again", bytes: bytes.count) { write(bytes, to: store) })
    cases.append(
      Benchmark(name: "\(size) store to typed", bytes: bytes.count) { blackHole(try? store.load(UsersQuery())) })
    let foundationData = Data(bytes)
    cases.append(
      Benchmark(name: "\(size) JSONDecoder", bytes: bytes.count) {
        blackHole(try? JSONDecoder().decode(CodableResponse.self, from: foundationData))
      })
  }
  return cases
}

func decode<T: SelectionSet>(_ type: T.Type, _ bytes: [UInt8]) -> T {
  do {
    guard let data = try ResponseReader.read(type, from: ResponseBytes(bytes)).data else { fatalError("no data") }
    return data
  } catch {
    fatalError("\(error)")
  }
}

/// Merges a response into a store and waits for it.
func write(_ bytes: [UInt8], to store: ApolloStore) {
  let done = DispatchSemaphore(value: 0)
  Task {
    blackHole(try? await store.write(response: ResponseBytes(bytes), for: UsersQuery()))
    done.signal()
  }
  done.wait()
}

// The same shape for Foundation's decoder.

struct CodableResponse: Codable {
  struct Body: Codable { var users: [User] }
  struct User: Codable {
    var id: String, name: String, email: String?, age: Int, score: Double, isActive: Bool, role: String, bio: String
    var tags: [String], createdAt: String, company: Company?, friends: [Friend]
  }
  struct Company: Codable { var id: String, name: String, catchPhrase: String }
  struct Friend: Codable { var id: String, name: String, age: Int }

  var data: Body
}
