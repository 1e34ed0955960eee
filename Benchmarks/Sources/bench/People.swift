// over 400 lines: generated code has one file per operation

// What the generator makes of ../shared/performance/users.graphql, and of the same selection through three fragments.
public import ApolloAPI

nonisolated public enum Role: String, EnumType {
  case admin = "ADMIN", editor = "EDITOR", viewer = "VIEWER", guest = "GUEST"
}

nonisolated public struct UsersQuery: GraphQLQuery {
  public static let operationName = "Users"
  public static let operationDocument = OperationDocument("query Users { users { __typename id } }")

  public init() {}

  nonisolated public struct Data: SelectionSet, Hashable {
    public var users: [User]

    public static let fields = FieldTable("users")

    public init(_ object: inout ObjectReader) throws(ReadError) {
      users = try object.read(0)
    }

    public func writeFields(to writer: inout JSONWriter) {
      writer.write(0, users)
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.users == b.users
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(users)
    }

    nonisolated public struct User: SelectionSet, Hashable {
      public var id: String
      public var name: String
      public var email: String?
      public var age: Int
      public var score: Double
      public var isActive: Bool
      public var role: GraphQLEnum<Role>
      public var bio: String
      public var tags: [String]
      public var createdAt: String
      public var company: Company?
      public var friends: [Friend]

      public static let fields = FieldTable(
        "__typename id!# name email age score isActive role bio tags createdAt company friends")

      public init(_ object: inout ObjectReader) throws(ReadError) {
        id = try object.read(1)
        name = try object.read(2)
        email = try object.read(3)
        age = try object.read(4)
        score = try object.read(5)
        isActive = try object.read(6)
        role = try object.read(7)
        bio = try object.read(8)
        tags = try object.read(9)
        createdAt = try object.read(10)
        company = try object.read(11)
        friends = try object.read(12)
      }

      public func writeFields(to writer: inout JSONWriter) {
        writer.write(1, id)
        writer.write(2, name)
        writer.write(3, email)
        writer.write(4, age)
        writer.write(5, score)
        writer.write(6, isActive)
        writer.write(7, role)
        writer.write(8, bio)
        writer.write(9, tags)
        writer.write(10, createdAt)
        writer.write(11, company)
        writer.write(12, friends)
      }

      public static func == (a: Self, b: Self) -> Bool {
        a.id == b.id
          && a.name == b.name
          && a.email == b.email
          && a.age == b.age
          && a.score == b.score
          && a.isActive == b.isActive
          && a.role == b.role
          && a.bio == b.bio
          && a.tags == b.tags
          && a.createdAt == b.createdAt
          && a.company == b.company
          && a.friends == b.friends
      }

      public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(name)
        hasher.combine(email)
        hasher.combine(age)
        hasher.combine(score)
        hasher.combine(isActive)
        hasher.combine(role)
        hasher.combine(bio)
        hasher.combine(tags)
        hasher.combine(createdAt)
        hasher.combine(company)
        hasher.combine(friends)
      }

      nonisolated public struct Company: SelectionSet, Hashable {
        public var id: String
        public var name: String
        public var catchPhrase: String

        public static let fields = FieldTable("__typename id!# name catchPhrase")

        public init(_ object: inout ObjectReader) throws(ReadError) {
          id = try object.read(1)
          name = try object.read(2)
          catchPhrase = try object.read(3)
        }

        public func writeFields(to writer: inout JSONWriter) {
          writer.write(1, id)
          writer.write(2, name)
          writer.write(3, catchPhrase)
        }

        public static func == (a: Self, b: Self) -> Bool {
          a.id == b.id
            && a.name == b.name
            && a.catchPhrase == b.catchPhrase
        }

        public func hash(into hasher: inout Hasher) {
          hasher.combine(id)
          hasher.combine(name)
          hasher.combine(catchPhrase)
        }
      }

      nonisolated public struct Friend: SelectionSet, Hashable {
        public var id: String
        public var name: String
        public var age: Int

        public static let fields = FieldTable("__typename id!# name age")

        public init(_ object: inout ObjectReader) throws(ReadError) {
          id = try object.read(1)
          name = try object.read(2)
          age = try object.read(3)
        }

        public func writeFields(to writer: inout JSONWriter) {
          writer.write(1, id)
          writer.write(2, name)
          writer.write(3, age)
        }

        public static func == (a: Self, b: Self) -> Bool {
          a.id == b.id
            && a.name == b.name
            && a.age == b.age
        }

        public func hash(into hasher: inout Hasher) {
          hasher.combine(id)
          hasher.combine(name)
          hasher.combine(age)
        }
      }
    }
  }
}

nonisolated public struct UserHeader: Fragment, Hashable {
  public var id: String
  public var name: String
  public var email: String?
  public var age: Int
  public var userStatus: UserStatus

  public static let fragmentDefinition: StaticString = "fragment UserHeader on User { id name email age ...UserStatus }"
  public static let fields = FieldTable("__typename id!# name email age ...")

  public init(_ object: inout ObjectReader) throws(ReadError) {
    id = try object.read(1)
    name = try object.read(2)
    email = try object.read(3)
    age = try object.read(4)
    userStatus = try object.fragment()
  }

  public func writeFields(to writer: inout JSONWriter) {
    writer.write(1, id)
    writer.write(2, name)
    writer.write(3, email)
    writer.write(4, age)
    writer.write(fragment: userStatus)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id
      && a.name == b.name
      && a.email == b.email
      && a.age == b.age
      && a.userStatus == b.userStatus
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(email)
    hasher.combine(age)
    hasher.combine(userStatus)
  }
}

nonisolated public struct UserStatus: Fragment, Hashable {
  public var id: String
  public var score: Double
  public var isActive: Bool
  public var role: GraphQLEnum<Role>
  public var bio: String
  public var tags: [String]

  public static let fragmentDefinition: StaticString = "fragment UserStatus on User { id score isActive role bio tags }"
  public static let fields = FieldTable("__typename id!# score isActive role bio tags")

  public init(_ object: inout ObjectReader) throws(ReadError) {
    id = try object.read(1)
    score = try object.read(2)
    isActive = try object.read(3)
    role = try object.read(4)
    bio = try object.read(5)
    tags = try object.read(6)
  }

  public func writeFields(to writer: inout JSONWriter) {
    writer.write(1, id)
    writer.write(2, score)
    writer.write(3, isActive)
    writer.write(4, role)
    writer.write(5, bio)
    writer.write(6, tags)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id
      && a.score == b.score
      && a.isActive == b.isActive
      && a.role == b.role
      && a.bio == b.bio
      && a.tags == b.tags
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(score)
    hasher.combine(isActive)
    hasher.combine(role)
    hasher.combine(bio)
    hasher.combine(tags)
  }
}

nonisolated public struct CompanyCard: Fragment, Hashable {
  public var id: String
  public var name: String
  public var catchPhrase: String

  public static let fragmentDefinition: StaticString = "fragment CompanyCard on Company { id name catchPhrase }"
  public static let fields = FieldTable("__typename id!# name catchPhrase")

  public init(_ object: inout ObjectReader) throws(ReadError) {
    id = try object.read(1)
    name = try object.read(2)
    catchPhrase = try object.read(3)
  }

  public func writeFields(to writer: inout JSONWriter) {
    writer.write(1, id)
    writer.write(2, name)
    writer.write(3, catchPhrase)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id
      && a.name == b.name
      && a.catchPhrase == b.catchPhrase
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(catchPhrase)
  }
}

nonisolated public struct FriendCard: Fragment, Hashable {
  public var id: String
  public var name: String
  public var age: Int

  public static let fragmentDefinition: StaticString = "fragment FriendCard on User { id name age }"
  public static let fields = FieldTable("__typename id!# name age")

  public init(_ object: inout ObjectReader) throws(ReadError) {
    id = try object.read(1)
    name = try object.read(2)
    age = try object.read(3)
  }

  public func writeFields(to writer: inout JSONWriter) {
    writer.write(1, id)
    writer.write(2, name)
    writer.write(3, age)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id
      && a.name == b.name
      && a.age == b.age
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(age)
  }
}

nonisolated public struct UserSocial: Fragment, Hashable {
  public var id: String
  public var name: String
  public var company: Company?
  public var friends: [Friend]

  public static let fragmentDefinition: StaticString =
    "fragment UserSocial on User { id name company { id name } friends { id age } }"
  public static let fields = FieldTable("__typename id!# name company friends")

  public init(_ object: inout ObjectReader) throws(ReadError) {
    id = try object.read(1)
    name = try object.read(2)
    company = try object.read(3)
    friends = try object.read(4)
  }

  public func writeFields(to writer: inout JSONWriter) {
    writer.write(1, id)
    writer.write(2, name)
    writer.write(3, company)
    writer.write(4, friends)
  }

  public static func == (a: Self, b: Self) -> Bool {
    a.id == b.id
      && a.name == b.name
      && a.company == b.company
      && a.friends == b.friends
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(name)
    hasher.combine(company)
    hasher.combine(friends)
  }

  nonisolated public struct Company: SelectionSet, Hashable {
    public var id: String
    public var name: String

    public static let fields = FieldTable("__typename id!# name")

    public init(_ object: inout ObjectReader) throws(ReadError) {
      id = try object.read(1)
      name = try object.read(2)
    }

    public func writeFields(to writer: inout JSONWriter) {
      writer.write(1, id)
      writer.write(2, name)
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.id == b.id
        && a.name == b.name
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(name)
    }
  }

  nonisolated public struct Friend: SelectionSet, Hashable {
    public var id: String
    public var age: Int

    public static let fields = FieldTable("__typename id!# age")

    public init(_ object: inout ObjectReader) throws(ReadError) {
      id = try object.read(1)
      age = try object.read(2)
    }

    public func writeFields(to writer: inout JSONWriter) {
      writer.write(1, id)
      writer.write(2, age)
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.id == b.id
        && a.age == b.age
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(id)
      hasher.combine(age)
    }
  }
}

nonisolated public struct UsersByFragmentsQuery: GraphQLQuery {
  public static let operationName = "UsersByFragments"
  public static let operationDocument = OperationDocument("query UsersByFragments { users { __typename id } }")

  public init() {}

  nonisolated public struct Data: SelectionSet, Hashable {
    public var users: [User]

    public static let fields = FieldTable("users")

    public init(_ object: inout ObjectReader) throws(ReadError) {
      users = try object.read(0)
    }

    public func writeFields(to writer: inout JSONWriter) {
      writer.write(0, users)
    }

    public static func == (a: Self, b: Self) -> Bool {
      a.users == b.users
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(users)
    }

    nonisolated public struct User: SelectionSet, Hashable {
      public var id: String
      public var userHeader: UserHeader
      public var createdAt: String
      public var company: Company?
      public var friends: [Friend]
      public var userSocial: UserSocial

      public static let fields = FieldTable("__typename id!# createdAt company friends ...")

      public init(_ object: inout ObjectReader) throws(ReadError) {
        id = try object.read(1)
        userHeader = try object.fragment()
        createdAt = try object.read(2)
        company = try object.read(3)
        friends = try object.read(4)
        userSocial = try object.fragment()
      }

      public func writeFields(to writer: inout JSONWriter) {
        writer.write(1, id)
        writer.write(fragment: userHeader)
        writer.write(2, createdAt)
        writer.write(3, company)
        writer.write(4, friends)
        writer.write(fragment: userSocial)
      }

      public static func == (a: Self, b: Self) -> Bool {
        a.id == b.id
          && a.userHeader == b.userHeader
          && a.createdAt == b.createdAt
          && a.company == b.company
          && a.friends == b.friends
          && a.userSocial == b.userSocial
      }

      public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(userHeader)
        hasher.combine(createdAt)
        hasher.combine(company)
        hasher.combine(friends)
        hasher.combine(userSocial)
      }

      nonisolated public struct Company: SelectionSet, Hashable {
        public var companyCard: CompanyCard

        public static let fields = FieldTable("__typename id!# ...")

        public init(_ object: inout ObjectReader) throws(ReadError) {
          companyCard = try object.fragment()
        }

        public func writeFields(to writer: inout JSONWriter) {
          writer.write(fragment: companyCard)
        }

        public static func == (a: Self, b: Self) -> Bool {
          a.companyCard == b.companyCard
        }

        public func hash(into hasher: inout Hasher) {
          hasher.combine(companyCard)
        }
      }

      nonisolated public struct Friend: SelectionSet, Hashable {
        public var id: String
        public var friendCard: FriendCard

        public static let fields = FieldTable("__typename id!# ...")

        public init(_ object: inout ObjectReader) throws(ReadError) {
          id = try object.read(1)
          friendCard = try object.fragment()
        }

        public func writeFields(to writer: inout JSONWriter) {
          writer.write(1, id)
          writer.write(fragment: friendCard)
        }

        public static func == (a: Self, b: Self) -> Bool {
          a.id == b.id
            && a.friendCard == b.friendCard
        }

        public func hash(into hasher: inout Hasher) {
          hasher.combine(id)
          hasher.combine(friendCard)
        }
      }
    }
  }
}
