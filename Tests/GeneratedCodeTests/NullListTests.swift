@testable import ApolloAPI
@testable import ApolloCache
import Testing

/// `query Grid { child { matrix } }`, where the lists in the list are null only if there is an error.
private struct GridQuery: GraphQLQuery {
  static let operationName = "Grid"
  static let operationDocument = OperationDocument("query Grid { child { matrix } }")

  struct Data: SelectionSet, Hashable {
    var child: Child?
    static let __fields = __FieldTable(version: 1, "child")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { child = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, child) }
  }

  struct Child: SelectionSet, Hashable {
    var matrix: [[Int]]
    static let __fields = __FieldTable(version: 1, "matrix")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { matrix = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, matrix) }
  }
}

/// `query Cells { cube @catch(to: RESULT) }`
private struct CubeQuery: GraphQLQuery {
  static let operationName = "Cube"
  static let operationDocument = OperationDocument("query Cube { cube }")

  struct Data: SelectionSet, Hashable {
    var cube: FieldResult<[[[Int]]]>
    static let __fields = __FieldTable(version: 5, "cube{0}")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { cube = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, cube) }
  }
}

@Suite("Errors of lists in lists") struct NullListTests {
  @Test("The error of a list that is an element is found by its path, and makes null what may be null")
  func element() async throws {
    for (matrix, path) in [
      ("[[1],null]", "1"), ("[null]", "0"), ("[[],[1,2],null,[3]]", "2"), ("[[1,null]]", "0.1"), ("null", ""),
    ] {
      let place = path.isEmpty ? "child.matrix" : "child.matrix.\(path)"
      let failed = NullCase(
        operation: GridQuery(), data: #"{"child":{"matrix":\#(matrix)}}"#, errors: ["\(place): broken"])
      let store = try await failed.check { #expect($0.child == nil, "\(place)") }
      // The cache has the error in the place of the list.
      let reading = await store.read(GridQuery())
      #expect(reading.errors.map(\.path) == [place.split(separator: ".").map(component)], "\(place)")
    }
    try await NullCase(operation: GridQuery(), data: #"{"child":{"matrix":[[1],[],[2,3]]}}"#).check {
      #expect($0.child?.matrix == [[1], [], [2, 3]])
    }
  }

  @Test("A result catches the error of a list on any level")
  func result() async throws {
    for (cube, path) in [
      ("[[[1]],null]", "1"), ("[[[1],null]]", "0.1"), ("[[[1]],[[2],null]]", "1.1"), ("[[[1]],[[],[2,null]]]", "1.1.1"),
    ] {
      let failed = NullCase(operation: CubeQuery(), data: #"{"cube":\#(cube)}"#, errors: ["cube.\(path): broken"])
      try await failed.check {
        #expect($0.cube.error?.message == "broken", "\(path)")
        #expect($0.cube.error?.path == "cube.\(path)".split(separator: ".").map(component), "\(path)")
      }
    }
  }

  @Test("A value that is not a list has its own path in the error")
  func paths() {
    for (matrix, path) in [("[1]", "0"), ("[[1],{}]", "1"), ("[[1],[2,[]]]", "1.1"), ("1", "")] {
      let bad = NullCase(operation: GridQuery(), data: #"{"child":{"matrix":\#(matrix)}}"#)
      let error = #expect(throws: ResponseDecodingError.self) { try bad.read(errorsFirst: false) }
      #expect(error?.path == "child.matrix.\(path)".split(separator: ".").map(component), "\(matrix)")
    }
  }
}

private func component(_ text: Substring) -> PathComponent { Int(text).map { .index($0) } ?? .field(String(text)) }
