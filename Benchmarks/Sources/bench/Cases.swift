import Animals
import Apollo
import Foundation
import People

func benchmarks(_ data: BenchmarkData) -> [Benchmark] {
  ["people_large", "people_medium", "people_small"].flatMap { people($0, data[$0]) } + animals(data["animals"])
    + models(data["people_large"]) + encoding(data["people_large"]) + client(data["people_small"])
    + disk("people_large", data["people_large"]) + requests(data["people_small"]) + watchers(data["people_large"])
    + states()
    + pages() + guesses() + firstScreen()
    + frontEnd(data["github"])
}

/// Responses to typed data, with and without the cache, beside Foundation's decoder.
private func people(_ size: String, _ bytes: [UInt8]) -> [Benchmark] {
  lazy var store = {
    let store = ApolloStore()
    write(bytes, to: store)
    return store
  }()
  // Every field has an age.
  lazy var agingStore = {
    let store = ApolloStore()
    store.defaultMaxAge = 3600
    write(bytes, to: store)
    return store
  }()
  let foundationData = Data(bytes)
  let spaced = spaced(bytes)
  return [
    Benchmark("\(size) decode", bytes.count, against: "\(size) JSONDecoder") {
      blackHole(decode(UsersQuery.Data.self, bytes))
    },
    Benchmark("\(size) decode, as Python writes", spaced.count) {
      blackHole(decode(UsersQuery.Data.self, spaced))
    },
    Benchmark("\(size) decode fragments", bytes.count, against: "\(size) JSONDecoder") {
      blackHole(decode(UsersByFragmentsQuery.Data.self, bytes))
    },
    Benchmark("\(size) decode + records, empty store", bytes.count, isConcurrent: true) {
      write(bytes, to: ApolloStore())
    },
    Benchmark("\(size) decode + records, again", bytes.count, isConcurrent: true) { write(bytes, to: store) },
    Benchmark("\(size) store to typed", bytes.count) {
      wait { [store] in blackHole(try? await store.load(UsersQuery())) }
    },
    Benchmark("\(size) store to typed, with ages", bytes.count) {
      wait { [agingStore] in blackHole(try? await agingStore.load(UsersQuery())) }
    },
    Benchmark("\(size) JSONDecoder", bytes.count) {
      blackHole(try? JSONDecoder().decode(CodableResponse.self, from: foundationData))
    },
  ]
}

/// JSON with a space behind each comma and colon.
private func spaced(_ json: [UInt8]) -> [UInt8] {
  var spaced: [UInt8] = [], isQuoted = false, isEscaped = false
  for byte in json {
    spaced.append(byte)
    if isEscaped {
      isEscaped = false
    } else if byte == UInt8(ascii: "\"") {
      isQuoted.toggle()
    } else if byte == UInt8(ascii: "\\") {
      isEscaped = true
    } else if !isQuoted, byte == UInt8(ascii: ",") || byte == UInt8(ascii: ":") {
      spaced.append(UInt8(ascii: " "))
    }
  }
  return spaced
}

/// Inline fragments on interfaces and objects.
private func animals(_ bytes: [UInt8]) -> [Benchmark] {
  [Benchmark("animals decode", bytes.count) { blackHole(decode(AllAnimalsQuery.Data.self, bytes)) }]
}

/// What an app does with models once it has them.
private func models(_ bytes: [UInt8]) -> [Benchmark] {
  lazy var data = decode(UsersQuery.Data.self, bytes)
  lazy var other = decode(UsersQuery.Data.self, bytes)
  return [
    Benchmark("models field access", bytes.count) { blackHole(sum(data)) },
    Benchmark("models ==", bytes.count) { blackHole(data == other) },
    Benchmark("models hash", bytes.count) { blackHole(data.hashValue) },
    Benchmark("models copy and change one", bytes.count) {
      var copy = data
      copy.users[0].name = "changed"
      blackHole(copy)
    },
  ]
}

/// Reads every field of every user.
@inline(never) private func sum(_ data: UsersQuery.Data) -> Int {
  var sum = 0
  for user in data.users {
    sum &+= user.id.utf8.count &+ user.name.utf8.count &+ (user.email?.utf8.count ?? 0) &+ user.age
    sum &+= Int(user.score) &+ (user.isActive ? 1 : 0) &+ user.bio.utf8.count &+ user.tags.count
    sum &+= user.createdAt.utf8.count &+ (user.company?.name.utf8.count ?? 0)
    for friend in user.friends { sum &+= friend.id.utf8.count &+ friend.name.utf8.count &+ friend.age }
  }
  return sum
}

/// Variables and models to JSON.
private func encoding(_ bytes: [UInt8]) -> [Benchmark] {
  lazy var data = decode(UsersQuery.Data.self, bytes)
  lazy var mutation = AddUsersMutation(
    users: data.users.map { user in
      UserInput(
        id: user.id, name: user.name, email: user.email ?? .null, age: user.age, score: user.score,
        isActive: user.isActive, role: user.role, bio: user.bio, tags: user.tags)
    })
  return [
    Benchmark("encode variables", mutation.variables.json.count) { blackHole(mutation.variables) },
    Benchmark("encode models", bytes.count) {
      var writer = __JSONWriter()
      data.__write(to: &writer)
      blackHole(writer.bytes)
    },
  ]
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
  wait { blackHole(try? await store.write(response: ResponseBytes(bytes), for: UsersQuery())) }
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
