import Apollo

// Operations on a list of things to do, as the generator writes them.

struct Todo: SelectionSet, Hashable {
  var __typename: String
  var id: String
  var text: String

  static let __fields = __FieldTable(version: 3, "__typename id!# text ^Entry")

  init(id: String, text: String) { (self.__typename, self.id, self.text) = ("Todo", id, text) }

  init(__reading object: inout __ObjectReader) throws(__ReadError) {
    __typename = try object.typename()
    id = try object.read(1)
    text = try object.read(2)
  }

  func __writeFields(to writer: inout __JSONWriter) {
    writer.write(0, __typename)
    writer.write(1, id)
    writer.write(2, text)
  }
}

struct TodosQuery: GraphQLQuery {
  static let operationName = "Todos"
  static let operationDocument = OperationDocument("query Todos { todos { __typename id text } }")

  struct Data: SelectionSet, Hashable {
    var todos: [Todo]
    static let __fields = __FieldTable(version: 1, "todos")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { todos = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, todos) }
  }
}

struct CreateTodo: GraphQLMutation {
  static let operationName = "CreateTodo"
  static let operationDocument = OperationDocument(
    "mutation CreateTodo($text: String!) { createTodo(text: $text) { __typename id text } }")

  var text: String

  func __writeVariables(to writer: inout __JSONWriter) { writer.write("text", text) }

  struct Data: SelectionSet, Hashable {
    var createTodo: Todo?
    static let __fields = __FieldTable(version: 1, "createTodo(text:$text)")
    init(createTodo: Todo?) { self.createTodo = createTodo }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { createTodo = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, createTodo) }
  }
}

struct RenameTodo: GraphQLMutation {
  static let operationName = "RenameTodo"
  static let operationDocument = OperationDocument(
    "mutation RenameTodo($id: ID!, $text: String!) { renameTodo(id: $id, text: $text) { __typename id text } }")

  var id: String
  var text: String

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("id", id)
    writer.write("text", text)
  }

  struct Data: SelectionSet, Hashable {
    var renameTodo: Todo?
    static let __fields = __FieldTable(version: 1, "renameTodo(id:$id,text:$text)")
    init(renameTodo: Todo?) { self.renameTodo = renameTodo }
    init(__reading object: inout __ObjectReader) throws(__ReadError) { renameTodo = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, renameTodo) }
  }
}

/// A mutation whose variable may be any JSON, and which has a file.
struct Attach: GraphQLMutation {
  static let operationName = "Attach"
  static let operationDocument = OperationDocument(
    "mutation Attach($json: JSON, $file: Upload) { attach(json: $json, file: $file) }")

  var json: JSONValue = JSONNull()

  func __writeVariables(to writer: inout __JSONWriter) {
    writer.write("json", AnyJSON(value: json))
    writer.write("file", AnyJSON(value: JSONNull()))
  }

  struct Data: SelectionSet, Hashable {
    var attach: String?
    static let __fields = __FieldTable(version: 1, "attach(json:$json,file:$file)")
    init(__reading object: inout __ObjectReader) throws(__ReadError) { attach = try object.read(0) }
    func __writeFields(to writer: inout __JSONWriter) { writer.write(0, attach) }
  }
}

struct AnyJSON: __JSONWritable {
  let value: JSONValue
  func __write(to writer: inout __JSONWriter) { writer.writeJSON(value) }
}
