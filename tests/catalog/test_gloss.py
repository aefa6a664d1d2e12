"""A tool in a few words: a verb and an object, read off its description."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from callwright.catalog.chunks import Chunk, kept
from callwright.catalog.gloss import gloss, is_of_anything
from callwright.catalog.thing_nouns import thing_noun
from callwright.lang.english import base_verb
from callwright.lang.tokens import content_stems, stem, words
from callwright.records.tool import Tool
from diaforge_builders import bundled


@pytest.mark.parametrize(
    ("description", "phrase"),
    [
        ("Approves a request for in-house training.", "approve a request for in-house training"),
        ("Approve a request. For courses taught on site.", "approve a request"),
        ("This endpoint is used to retrieve an order by its number, if it exists.", "retrieve an order"),
        ("Cancel an order that was placed by mistake", "cancel an order"),
        ("Create or update a customer record", "create a customer record"),
        ("Deletes the specified folder_item.", "delete a folder item"),
        ("Current weather for a city", "look up the current weather for a city"),
        ("Retrieve up to 1,000 messages of a chat", "retrieve messages of a chat"),
        ("Re-run a build", "re-run a build"),
        ("Top domains", "look up top domains"),
        ("Top up the balance of a card", "top up the balance of a card"),
        ("Back up a database", "back up a database"),
        ("Strike a boat off the register", "strike a boat off the register"),
        ("Put someone on the waiting list", "put someone on the waiting list"),
        ("Take a dog off work", "take a dog off work"),
        ("Dogs on the team", "look up dogs on the team"),
        ("Turn a lamp on", "turn on a lamp"),
        ("Set an admin to away", "set an admin"),
        ("End point searches", "look up end point searches"),
        ("Upload an evidence", "upload evidence"),
        ("Games and results. Get game results", "get game results"),
        ("List of updates", "list updates"),
        ("Provides the ability to search for tokens based on a PAN, a name, or an ID", "search for tokens"),
        ("Get trades list by account", "list trades by account"),
        ("Retrieve pageable list of orders with details.", "list orders with details"),
        ("Gets details for a requested judge ID.", "get details for a judge"),
        ("This resource displays the ratings for one shop", "get the ratings for a shop"),
        ("Tide information return tide phase and height.", "get a tide phase and a height"),
        ("Live shuttle API method returns departures for a station", "get departures for a station"),
        ("The Daily Step Goal endpoint calculates the daily step goal", "calculate the daily step goal"),
        ("This endpoint responds with a list of bridges that are open", "list bridges"),
        ("Calculates the estimated due date of a parcel", "calculate the estimated due date of a parcel"),
        ("Search 2 million songs using keywords", "search songs"),
        ("Get conditions for the given latitude and longitude.", "get conditions for a location"),
        ("Get ferry fares in JSON or XML format", "get ferry fares"),
        ("Fetch the rota for the desired month and depot.", "fetch the rota for a month and a depot"),
        ("Lists all men's records", "list men's records"),
        ("Get all pages from https://www.example.org/items/ITEM", "list pages"),
        ("Today's best pick", "look up today's best pick"),
        ("Returns a meeting's list of guests and dates", "get the list of a meeting"),
        ("Creates a job to archive a folder", "archive a folder"),
        ("Gets a story by username", "get a story"),
        ("Northern Harbour Tide Tiles API.", "look up northern harbour tide tiles"),
        ("Retrieve the requested invoice", "retrieve an invoice"),
        ("Deletes up to ten messages from the specified queue.", "delete messages from a queue"),
        ("Copy messages of any kind.", "copy messages"),
        ('This method creates a "parcel" based on the rate in the request.', "create a parcel"),
        ("Deletes a workflow with the specified name.", "delete a workflow"),
        ("Gets script logs for a given script name.", "get script logs"),
        ("Create a new group with specified settings.", "create a group"),
        ("Returns the secret key related to the specified public key.", "get the secret key related to a public key"),
        ("Provides information about the client making an API request.", "get information about the client"),
        ("Lists a data set's revisions sorted by date.", "list revisions of a data set"),
        ("Gets summary information about all or the specified policies.", "get summary information about a policy"),
        ("Retrieves the collection of rule resources.", "list rules"),
        ("Creates a rule resource.", "create a rule"),
        ("Lists the specified groups.", "list groups"),
        (
            "Lists information about the supported locations for this service.",
            "list supported locations for this service",
        ),
        ("Patch an existing definition", "update a definition"),
        ("Retrieve 50 permits for a town.", "list permits for a town"),
        ("Deletes a campaign from the specified Acme Connect account.", "delete a campaign"),
        ("List jobs created by this Acme account for a specific store.", "list jobs for a store"),
        ("Close an account.", "close an account"),
        ("Gets 10 quotes of the driver depending on the page.", "list quotes of the driver"),
        (
            "Retrieves information about the model view or the instance view of a machine.",
            "retrieve information about the model view of a machine",
        ),
        ("Gets a web resource.", "get a web resource"),
        ("Retrieve 1 permit for a town.", "retrieve a permit for a town"),
        ("Confirms the letters associated with the letter_ids in the ConfirmRequest.", "confirm the letters"),
        ("Refund all payments of an account since the last payout.", "refund payments"),
    ],
)
def test_phrases(description: str, phrase: str) -> None:
    """The first clause, its verb in base form, without what only documents say."""
    assert gloss(Tool(name="x", description=description)).phrase == phrase


def test_a_tool_without_a_description_is_glossed_by_its_name() -> None:
    """Split into words."""
    assert gloss(Tool(name="cancelPurchase_order")).verb == "cancel"


@pytest.mark.parametrize(
    ("name", "description", "source", "phrase"),
    [
        ("x", "Establish a webhook for the channel.", "", "establish a webhook for the channel"),
        ("x", "Un-pins an item from a channel.", "", "unpin an item from a channel"),
        ("x", "[Beta] Unlinks the <b>repo</b> from the site.", "", "unlink the repo from the site"),
        ("x", "List reactions made by a user.", "", "list reactions made by a user"),
        ("AdminUpdateUserAttributes", "", "", "update user attributes"),
        ("x", "Fully update invoice.", "", "update an invoice"),
        ("x", "Performs topic detection on the given document.", "", "detect topics on a document"),
        ("x", "Used to represent an individual lease.", "GET /leases/{id}", "get a lease"),
        ("x", "Single New Horizons lamp. This retrieves a lamp.", "GET /lamps/{lamp}", "get a lamp"),
        ("x", "Get a variety of events.", "GET /events", "list events"),
        ("x", "Get all the files inside an Item", "GET /items/{id}/files", "list files inside an item"),
        ("get_timers", "Get a BakeTimer.", "GET /baketimers/{id}", "get a bake timer"),
        ("get_spaces", "Gets a space of a user OauthScopes: READ", "GET /spaces/{id}", "get a space of a user"),
        ("x", "Remove tag from contact.", "", "remove a tag from a contact"),
        ("x", "Find a supplier by company name.", "", "find a supplier by company name"),
        ("x", "Deletes the database and all associated branches.", "", "delete the database"),
        ("x", "Revokes public/external access for a file", "", "revoke public access for a file"),
        ("x", "Redact a conversation part.", "", "redact a conversation part"),
        ("x", "This endpoint allows you to archive your report.", "", "archive a report"),
        ("x", "Returns an AI Gateway token", "GET /token", "get an AI Gateway token"),
        ("x", "Get all the workspaces a given channel is connected to", "", "list workspaces"),
        ("x", "Rename a public or private channel.", "", "rename a channel"),
        ("x", "Switches a light on or off.", "", "toggle a light"),
        ("x", "Enables or disables an automation.", "", "toggle an automation"),
        ("x", "Run an automation now", "", "run an automation"),
        ("x", "Arms or disarms the alarm", "", "arm the alarm"),
        ("x", "Check in a patient", "", "check in a patient"),
        ("x", "Locks a door", "POST /locks/{lock_id}/lock", "lock a door"),
        ("x", "Get Artist's Top Tracks. Get information by country.", "", "get the top tracks of an artist"),
        ("x", "Returns the entire folder's history.", "", "get the entire history of a folder"),
        ("x", "Creates guests to a specific mailing list.", "", "add guests to a mailing list"),
        ("x", "Creates a link to a file.", "", "create a link to a file"),
        ("Full_Price", "This endpoint returns a stock price.", "query 7, API 1", "get a stock price"),
        (
            "Shares_float",
            "Provides the amount of current shares float.",
            "query 7, API 2",
            "get the amount of current shares float",
        ),
        ("Daily_Prices", "Vexlify provides daily prices in real time.", "", "look up daily prices"),
        ("x", "Give info about an artist.", "", "get info about an artist"),
        ("x", "Purges cached content from Vexlify's CDN.", "", "purge cached content from the CDN"),
        ("ListPaymentMethods", "List a Customer's PaymentMethods", "", "list payment methods of a customer"),
        ("x", "Follow Artists or Users.", "", "follow artists"),
        ("pins_remove", "", "", "remove a pin"),
        ("ListShortCode", "", "", "list short codes"),
        ("FetchAlphaSender", "Note: the AlphaSender is old.", "", "fetch an alpha sender"),
        ("showSiteTLSCertificate", "", "", "get a site TLS certificate"),
        ("listFormSubmission", "", "GET /submissions/{id}", "get a form submission"),
        ("op12", "", "POST /v1/invoices/{id}/archive", "archive an invoice"),
        ("op13", "", "GET /v1/invoices", "list invoices"),
        ("op14", "", "DELETE /v1/invoices/{id}", "delete an invoice"),
        ("CreateHost", "Creates a resource that represents where something runs.", "", "create a host"),
        (
            "Delete_ignores",
            "Delete ignores",
            "DELETE /orgs/{orgId}/projects/{projectId}/ignore/{id}",
            "delete an ignore",
        ),
        ("x", "", "POST /v1beta1/{resource}:testAccess", "test access"),
        (
            "library_branches_shelves_rooms_with_private_copies_testIamPermiss",
            "Returns permissions that a caller has on a resource.",
            "POST /v1/{resource}:testIamPermissions",
            "test IAM permissions",
        ),
        ("GET_CreateUserGroup", "For version 6: Makes it.", "GET /#Action=CreateUserGroup", "create a user group"),
        ("createOrUpdateRuleSet", "Gets RuleSet.", "PUT /spaces/{id}/ruleSets/default", "create a rule set"),
        ("getTransferWindow", "Transfer window by season", "GET /players/window", "get a transfer window"),
        ("creditscore_1", "", "GET /people/creditscore", "get a credit score"),
        ("getRoutefeaturetypes", "", "GET /routefeaturetypes", "list route feature types"),
        ("Stock_Quote", "Acme provides companies stock quote data in realtime", "", "look up a stock quote"),
        ("Grain_Prices", "page source: https://acme.example/grains", "file 31, API 2", "look up grain prices"),
        ("Trees_In_Park", "This endpoint returns the oldest trees.", "file 31, API 3", "get the oldest trees"),
        ("using_page", "Enter the page number to get the riddles", "", "get the riddles"),
        ("MeterOff_Post", "Beta: Meter API: Deactivates a meter.", "POST /MeterOff", "deactivate a meter"),
        ("post_ripe", "Image contains ripe fruit? Creates a job.", "POST /ripe", "create a job"),
    ],
)
def test_documents_of_every_style(name: str, description: str, source: str, phrase: str) -> None:
    """Any English verb, markup, names in any case, and at last method and path."""
    assert gloss(Tool(name=name, description=description, source=source)).phrase == phrase


def test_the_end_of_a_path_tells_a_verb_from_a_noun() -> None:
    """What is done to a thing is the act, though its word is a noun too."""
    done = Tool(name="finish_pressing", source="POST /pressings/{pressing_id}/finish")
    assert gloss(done).phrase == "finish a pressing"


def test_what_a_tool_acts_on_is_one_noun() -> None:
    """In the singular, without article; of a long object its last words."""
    assert thing_noun(Tool(name="listShortCodes")) == "short code"
    assert thing_noun(Tool(name="x", description="Gets the latest state of a long operation.")) == "long operation"
    assert thing_noun(Tool(name="x", description="Updates the parameters of a collector.")) == "collector"
    assert thing_noun(Tool(name="x", description="Show very long strange wide old things")) == "old thing"


def test_every_tool_of_the_bundled_catalogue_has_a_verb_and_an_object() -> None:
    """In the words of its description and no others, articles apart; the phrase is short."""
    for tool in bundled().tools:
        own = gloss(tool)
        described = {stem(word) for word in words(tool.description)}

        assert base_verb(own.verb.split()[0]) == own.verb.split()[0]
        assert own.chunks
        assert set(content_stems(own.object)) <= described
        assert len(own.phrase.split()) <= 12
        assert own.object == " ".join(chunk.said for chunk in own.chunks)
        assert own.object_stems == {found for chunk in own.chunks for found in content_stems(chunk.text)}
        assert own.stems == own.object_stems | own.verb_stems


def test_no_two_tools_of_the_bundled_catalogue_mean_the_same() -> None:
    """Each can be told from each by its phrase."""
    phrases = [gloss(tool).phrase for tool in bundled().tools]

    assert len(set(phrases)) == len(phrases)


@given(st.text(max_size=120), st.text("abcXYZ_-.", max_size=12))
def test_any_description_has_a_gloss(description: str, name: str) -> None:
    """Untrusted text gives words or nothing; never an error, never more than a phrase."""
    own = gloss(Tool(name=name, description=description))

    assert len(own.object.split()) <= 16
    assert own.phrase


@pytest.mark.parametrize(
    ("chunk", "allowed", "left"),
    [
        (Chunk("for", "an in-house request"), {"request"}, "a request"),
        (Chunk("", "a purchase order"), {"order"}, "an order"),
        (Chunk("", "all pending requests"), {"request"}, "requests"),
        (Chunk("", "all pending requests"), {"all", "request"}, "requests"),
        (Chunk("", "a customer's orders"), {"order"}, "orders"),
        (Chunk("to", "another cost centre"), {"cost", "centr"}, "a cost centre"),
        (Chunk("", "new orders"), {"order"}, "orders"),
        (Chunk("", "the blue folder"), {"blue"}, ""),
        (Chunk("", "an order"), set(), ""),
    ],
)
def test_kept_words(chunk: Chunk, allowed: set[str], left: str) -> None:
    """Other words fall away, the article is mended, and without its head noun nothing is left."""
    assert kept(chunk, frozenset(allowed)) == left


def test_with_all_words_allowed_a_chunk_stays_as_it_is() -> None:
    """Over the whole bundled catalogue."""
    chunks = [chunk for tool in bundled().tools for chunk in gloss(tool).chunks]
    assert chunks
    for chunk in chunks:
        everything = frozenset(content_stems(chunk.text)) | frozenset(words(chunk.text))
        assert kept(chunk, everything) == chunk.text


@pytest.mark.parametrize("description", ["Filter items by.", "List items by setting.", "Create a user with by"])
def test_a_clause_may_end_in_a_preposition(description: str) -> None:
    """What follows it is missing, and not said."""
    assert not gloss(Tool(name="x", description=description)).phrase.endswith(" by")


FEW_WORDS = ("a", "an", "the", "and", "or", "&", "item", "items", "of", "tax", "1", "-")


@given(st.lists(st.sampled_from(FEW_WORDS), min_size=1), st.frozensets(st.sampled_from(["item", "tax", "1"])))
def test_any_chunk_can_be_reduced(text: list[str], allowed: frozenset[str]) -> None:
    """Also one of articles and conjunctions alone, whatever is allowed."""
    left = kept(Chunk("", " ".join(text)), allowed)

    assert not left or set(left.split()) - {"and", "or", "&"}


@pytest.mark.parametrize(
    ("name", "description", "source", "phrase"),
    [
        ("Registry_ListArtifacts", "ListArtifacts returns matching artifacts.", "GET /artifacts", "list artifacts"),
        ("post_getChat", "", "POST /getChat", "get a chat"),
        ("create_tax_identifier", "Creates a TaxIdentifier.", "POST /x", "create a tax identifier"),
        ("get_feed", "", "GET /feeds/popular-channel.atom", "get a popular channel"),
        ("gettokenowner2", "getTokenOwner. Of a coin", "GET /x/{y}", "get a token owner"),
        ("listUsersUsingGET_1", "", "GET /x", "list users"),
        ("x", "Deletes a template from a template ID", "DELETE /templates/{id}", "delete a template"),
        ("x", "Returns a JSON of the current promotions", "GET /promotions", "list current promotions"),
        ("listPlan", "Plan collection.", "GET /plan", "list plans"),
        ("get_orders", "Open orders. Returns orders.", "GET /orders", "list orders"),
        ("x", "Get your list of dictionaries", "GET /dictionaries", "list dictionaries"),
        ("x", "Lists the templates present in your account", "GET /x", "list templates"),
        ("x", "Handle DELETE request for preferences", "DELETE /user/preferences", "delete a preference"),
        (
            "x",
            "Use this method to kick a user from a group, a set or a channel. In the case",
            "POST /kick",
            "kick a user",
        ),
        ("x", "Creates a new token and associates it with the user.", "POST /tokens", "create a token"),
        ("x", "Performs a search for participants.", "POST /x", "search participants"),
        ("x", "Enable or disable the ability of an account to send email.", "PUT /senders", "enable a sender"),
        ("x", "User registration", "POST /users", "register a user"),
        ("getMe", "", "POST /getMe", "get the current user"),
        ("x", "Show me orders of a shop", "GET /orders", "list orders of a shop"),
        ("x", "Top Up Account Balance", "POST /top-up", "top up an account balance"),
        ("x", "Get Consents by ID", "GET /consents/{consentId}", "get a consent"),
        ("x", "", "DELETE /settings/delete/{id}", "delete a setting"),
        ("x", "Get a report for a list of ten very long old words of paper", "GET /reports/{id}", "get a report"),
        ("x", "Add new employee", "POST /employees", "add a new employee"),
        ("GetEC2MeansRates", "", "POST /#X-Target=A.GetEC2MeansRates", "get EC2 means rates"),
        ("x", "Get Block V2", "GET /blocks", "get a block"),
        (
            "x",
            "Lists all OpenHarbour Serverless rooms.",
            "POST /#X=OpenHarbour.List",
            "list OpenHarbour Serverless rooms",
        ),
        ("x", "Deletes an AlphaSender Resource.", "DELETE /alpha-sender/{id}", "delete an alpha sender"),
        ("x", "Creates a new Amber FSx for Lustre, or one for Windows.", "POST /fsx", "create an Amber FSx for Lustre"),
        ("x", "Stops the given lift and releases its doors.", "POST /l/{id}", "stop a lift"),
        ("x", "Deletes image list with the list Id equal to list Id passed.", "DELETE /l/{id}", "delete an image list"),
    ],
)
def test_names_in_documents_of_services(name: str, description: str, source: str, phrase: str) -> None:
    """The operation's name is not its object, and a path may begin with a verb."""
    assert gloss(Tool(name=name, description=description, source=source)).phrase == phrase


@pytest.mark.parametrize("name", ["getOpensForSingleOutboundMessage", "getOpens", "open", "opens"])
def test_every_gloss_has_an_object(name: str) -> None:
    """Also where the only noun of a name is a verb too."""
    tool = Tool(name=name, description="Retrieve Message Opens", source="GET /messages/outbound/opens/{messageid}")
    assert gloss(tool).chunks


@pytest.mark.parametrize(
    ("name", "source", "description", "wanted"),
    [
        ("create_hook_api_v1_app__app_id__hook__post", "POST /api/v1/app/{app_id}/hook/", "", "create a hook"),
        ("read_items_items__get", "GET /items/", "", "list items"),
        ("get_rest_services_get_map", "GET /rest_services.get_map", "Combined Map Service.", "get a map"),
        ("list_it", "GET /app/{app_id}/endpoint/", "List Endpoints.", "list endpoints"),
        ("analyze", "POST /analyze", "Extracts a rich set of visual features.", "extract visual features"),
        ("x", "", "Delete this contribution.", "delete a contribution"),
        ("x", "", "Change invoice status to given status.", "change an invoice status"),
        ("x", "", "Revoke grant to a private, non-custom source to a given workspace", "revoke a grant"),
        ("sites_get", "GET /x", "Gets the category of metadata to use for the site", "get the category of metadata"),
    ],
)
def test_what_frameworks_and_services_add_is_no_part_of_the_act(
    name: str, source: str, description: str, wanted: str
) -> None:
    """Routes behind names, services before operations, and nouns of amounts."""
    assert gloss(Tool(name=name, source=source, description=description)).phrase == wanted


@pytest.mark.parametrize("name", ["Schedule_information", "order_details", "BookStatus"])
def test_information_on_a_thing_is_looked_up(name: str) -> None:
    """Though the thing could be an act; what is updated is."""
    assert gloss(Tool(name=name)).phrase.startswith("look up ")
    assert gloss(Tool(name="update_details")).verb == "update"


def test_the_first_of_several_acts_stands_for_all() -> None:
    assert gloss(Tool(name="x", description="Create/modify/delete variables.")).phrase == "create variables"


@pytest.mark.parametrize(
    ("name", "source", "description", "phrase"),
    [
        ("getAccount", "GET /Accounts/{AccountID}", "Retrieves a single chart of accounts.", "retrieve an account"),
        ("getAccounts", "GET /Accounts", "Retrieves the full chart of accounts.", "retrieve accounts"),
        ("getInvoice", "GET /invoices/{id}", "Get the details of an invoice.", "get the details of an invoice"),
        (
            "getNoteAttachments",
            "GET /notes/{id}/attachments",
            "Retrieves attachment for a note.",
            "retrieve attachments",
        ),
    ],
)
def test_the_thing_of_name_and_path_is_said(name: str, source: str, description: str, phrase: str) -> None:
    """Not what the text has it in, and in its number."""
    assert gloss(Tool(name=name, source=source, description=description)).phrase.startswith(phrase)


def test_a_possessive_of_a_name_is_no_word() -> None:
    """`a project's jobs` is written `a_project_s_jobs` in a name."""
    assert " s " not in gloss(Tool(name="Get_a_Project_s_Jobs", description="")).phrase


@pytest.mark.parametrize(
    ("name", "description", "source", "phrase"),
    [
        ("Get_Details", "Lake water levels (live)", "", "look up lake water levels"),
        ("get_lake", "Returns the information.", "", "get a lake"),
        ("get_one_lake", "This endpoint gets one record.", "", "get a lake"),
        ("op17", "Get data.", "GET /lakes/{id}/details", "get lake details"),
        ("list_lists", "Returns all lists.", "GET /lists", "list lists"),
    ],
)
def test_what_could_be_of_anything_is_looked_for_elsewhere(
    name: str, description: str, source: str, phrase: str
) -> None:
    """The details and data of a description are told by the name, the path or the heading; lists may be things."""
    found = Tool(name=name, description=description, source=source)

    assert gloss(found).phrase == phrase
    assert not is_of_anything(gloss(found), found)


@pytest.mark.parametrize(
    ("description", "phrase"),
    [
        ("This endpoint returns a lake/ river report", "get a lake report"),
        ("This resource returns data", "look up a x y"),
        ("The lake API returns tide / ice levels", "get tide levels"),
        ("Our method shows data", "look up a x y"),
    ],
)
def test_what_a_document_says_of_itself_is_no_thing(description: str, phrase: str) -> None:
    """What an endpoint returns is looked up; nobody asks for `endpoint returns`."""
    assert gloss(Tool(name="x_y", description=description)).phrase == phrase


@pytest.mark.parametrize(
    ("description", "phrase"),
    [
        ("Retrieve a list of all user threads for the user.", "list user threads"),
        ("Fetch a thread from your account's default service", "fetch a thread from the default service"),
        ("List the members of a workspace.", "list members"),
        ("List lakes in the organization", "list lakes"),
        ("Add a user to a workspace", "add a user to a workspace"),
        ("List threads of a user", "list threads of a user"),
    ],
)
def test_an_owner_that_nobody_gives_is_not_said(description: str, phrase: str) -> None:
    """Nor a noun of the object again; where a parameter tells which account it is, it is said."""
    assert gloss(Tool(name="x", description=description)).phrase == phrase

    schema = {"type": "object", "properties": {"workspace_id": {"type": "string"}}}
    given = Tool(name="x", description="List the members of a workspace.", parameters=json.dumps(schema))
    assert gloss(given).phrase == "list members of a workspace"


def test_what_no_document_tells_stays_open() -> None:
    """Where only the document's own kind is named, there is no request."""
    found = Tool(name="Get_Details", description="Endpoint", service="Acme")

    assert is_of_anything(gloss(found), found)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("LakeList_for_Acme_Maps_API", "list lakes"),
        ("Search_for_Acme_Maps_API", "search for acme maps"),
        ("LakeList_for_Hikers", "look up lake list for hikers"),
    ],
)
def test_the_title_of_a_service_is_no_part_of_a_thing(name: str, phrase: str) -> None:
    """Behind a thing; what people look for with `search for` stays."""
    assert gloss(Tool(name=name, service="Acme Maps API")).phrase.lower() == phrase.lower()


@pytest.mark.parametrize(
    ("description", "phrase"),
    [
        ("Get harbour fees latest data", "get the latest harbour fees"),
        ("Get harbour latest data for tide table", "get the latest harbour tide table"),
        ("Provides access to daily tide readings.", "get daily tide readings"),
        ("Get full data from a specific buoy.", "get the data of a buoy"),
        ("Grants access to a folder.", "grant access to a folder"),
    ],
)
def test_a_title_of_piled_nouns_is_said_in_the_order_of_speech(description: str, phrase: str) -> None:
    """What is the latest stands first, access to a thing is the thing, and full data are the data."""
    assert gloss(Tool(name="op17", description=description)).phrase == phrase


def test_two_nouns_with_capitals_are_no_act() -> None:
    """The tool's name says that `Calendar Events` is one noun; with an article the first word is a verb."""
    stock = Tool(name="anchor_Events", description="Anchor Events of a particular ship")
    assert gloss(stock).phrase == "look up anchor events"
    assert gloss(Tool(name="anchor_ship", description="Anchor a ship of a fleet")).phrase.startswith("anchor a ship")


def test_for_what_an_identified_thing_is_goes_without_saying() -> None:
    """Who has a berth's identifier does not say for which ships berths are; a parameter of its own is said."""
    berth = '{"properties": {"BerthID": {"type": "string"}}, "required": ["BerthID"]}'
    several = "Gets a specific berth for ferries and cargo ships"
    assert gloss(Tool(name="op17", description=several, parameters=berth)).phrase == "get a berth"
    assert gloss(Tool(name="op17", description=several)).phrase == "get a berth for ferries and cargo ships"


def test_a_thing_is_made_without_the_list_of_its_document() -> None:
    """A request would claim a list that nobody gives; a lookup with a list is another matter."""
    assert gloss(Tool(name="op17", description="Create a new talk with the list of guests")).phrase == "create a talk"
    assert "with" in gloss(Tool(name="op17", description="Create a new talk with a guest")).phrase


def test_what_the_first_noun_says_is_not_said_again() -> None:
    """The guest talks for the guest are the guest talks; for the host they are others."""
    of_guest = Tool(name="op17", description="Retrieve a list of all guest talks for the guest.")
    of_host = Tool(name="op17", description="Retrieve a list of all guest talks for the host.")
    assert gloss(of_guest).object == "guest talks"
    assert gloss(of_host).object == "guest talks for the host"
