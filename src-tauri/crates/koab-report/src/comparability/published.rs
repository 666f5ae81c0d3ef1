//! Constants of the published benchmark and its leaderboard, which verdicts compare with.
//!
//! The hashes are computed with `json.dumps` from the files of the public repository at commit
//! 1174fed. The tests compute them again from the reference data.

use koab_core::level::Level;

/// Hash of the 91 published tasks, computed by [`super::tasks_sha256`].
pub const PUBLISHED_TASKS: &str = "9c99dff2b8d88d125f37d77501a2b8221c1a3f3f2203e9e35e9b36eda77dd37d";

/// Hash of the 4,582 published cached responses, as `koab-store` computes it for an installed pack.
pub const PUBLISHED_RECORDS: &str = "7cb30992896d708424c8079839c251ef60c71064754e3896c17d887bbab4dc54";

/// Hash of the published judge prompts, computed by [`koab_core::judge::JudgePrompts::sha256`].
pub const PUBLISHED_PROMPTS: &str = "71f420680f2bbdc1eb82f8951d73d2ce773abcc5ac03fbb593de37d9d65032a5";

/// Number of published tasks of each level.
pub const PUBLISHED_TASKS_A_LEVEL: [(Level, u32); 7] = [
    (Level::L1, 11),
    (Level::L2, 15),
    (Level::L3, 10),
    (Level::L4, 10),
    (Level::L5, 20),
    (Level::L6, 15),
    (Level::L7, 10),
];

/// The judge of all 15 published reports.
pub const PUBLISHED_JUDGE: &str = "azure/gpt-4.1-mini";

/// Hash of the text of the published tool with this name, computed by [`super::tool_sha256`].
pub fn published_tool(name: &str) -> Option<&'static str> {
    let tool = PUBLISHED_TOOLS.iter().find(|(tool, _)| *tool == name);
    tool.map(|(_, sha256)| *sha256)
}

/// The 33 published tools with the hashes of their texts.
pub const PUBLISHED_TOOLS: [(&str, &str); 33] = [
    ("AddressToCoord_kakao", "491ac13165594dfc265018e6fd7cf37964141b298d681135060f7316ad69ab55"),
    ("BlogSearch_naver", "75112a4f525896dee1665e73d20e279db99bf347c1f83ceb63ceaeec9aa02d47"),
    ("CarRoute_tmap", "58a011f2a1d0547a396401f8177fb6b00e2a965b005889327b84dd3b6cb83b7c"),
    ("CategorySearch_kakao", "65e8ba4ed81ddf73a8c2a67a0fcd3ebe24137cfc5bcf08ebebed856524f2bd6e"),
    ("CategorySearch_tmap", "4749613aae44fb3852a63f9f0c886ad575c2fa12d12de892eaa9bba6c8174575"),
    ("CoordToAddress_kakao", "fa35606b4befc18afe81cd2f178910276f006816e4da9ee53b147d34fc3d4f60"),
    ("CryptoCandle_bithumb", "c5fe66a6aca92aa6823120a261abf4ce3b5e3dbaffdca596f4e287b9deeed923"),
    ("CryptoCandle_upbit", "3c3503068d089e619c2308fe89f64d9cc62696c0305dbf2eed7e02bb55746861"),
    ("CryptoPrice_bithumb", "bb8ac8900aca4878763f2a436bc264dcf1ee9d3f9c1fb6d2b8c0de23ce96d9fb"),
    ("CryptoPrice_upbit", "735b547774b50778447739bfcbcdf4194d49425f4467d5276312b3c89ee5474a"),
    ("Directions_naver", "9a89d5346e0f2d48e4bef2ce376b943616336de385ae2e87f628b4ed6e04eeb0"),
    ("Geocoding_tmap", "2384165a3b8b30d78b19e97a1f40ec7bd6037f92fbcbb0df7f8494405f851948"),
    ("ItemList_aladin", "3db2c558ce4bddb62267b1de01c1f3c430dd3a20bf6f76276d669a9b01096b83"),
    ("ItemLookup_aladin", "d2ac047cfeab660dfb829eabfb0100b66ded7c71eb8381b692854c1967e7dd85"),
    ("ItemSearch_aladin", "5f88ea3891e22c1d66f7b6eb4e0653444630fb4adc74809336f63ab654e6ae04"),
    ("MarketIndex_ls", "8aebc55af453e0c3fa90438f97bbaffb083ab85f5d22c1426459a6be87bdf784"),
    ("MarketList_bithumb", "8441b7214cfe5670619e80cb35222e4bfbee12de571b1b3994f992e8f34c6c1e"),
    ("MarketList_upbit", "a768c9dc8a83a725097e9197b199b040df90730eff0884aaaf3e001b1064299c"),
    ("NewsSearch_naver", "06e7db1908aafdef5742ae6e6c3c3284210321556b1008d7cb8495c9ca257c4f"),
    ("OrderBook_bithumb", "8394580679aa0c5a11913d380fb6c93ec2c73d9ceb888ad44ad775a80e3dde04"),
    ("OrderBook_ls", "e3b7254215955babd8219ea23f1d6bd48c4f38c96c0924485f09f7c12d791d0d"),
    ("POISearch_tmap", "ed62be43208236f50a07ea99245cc16676c5f8aad47436e90a5e17a4e43bf70b"),
    ("PlaceSearch_kakao", "40c4063b894a71e5bd934f4bff1863d55680176e8419fb2c89e53d828904dc34"),
    ("SectorStock_ls", "b25522c2e103a44ffa0890828003ff0061ec96113aba9030ef25da28c7410cd7"),
    ("StockChart_kis", "08820fb33124725fc24ec8e3b47b2a1235eb676a9a0f8f4581b334ec90afe222"),
    ("StockPrice_kis", "0657b0a60688672e94c0d8e00b85c0fb6fda265982effa1ab616609b3be35d65"),
    ("StockPrice_ls", "c5a485b44f1b520e5e6d11636b34a962e0ba1003721c84a2b1215a8d1ff625fa"),
    ("StockTrades_ls", "481b0a4fcbf98d03b96d29ce38a8f3ea85ad8609ee1250c63a4b92acfeb530a4"),
    ("USStockPrice_kis", "d2f65ab39442cdf972f54256e0babcb58601c8b5e2f048c9f6e418f81d4b4f42"),
    ("VideoSearch_daum", "abbaf887256f8207cbde10d5e50765fe1a8bcfeda03560d5026a588dd4abc8e3"),
    ("WalkRoute_tmap", "613e835dff25c229191fa137262bdf2e63a4269cab76601842076eafdcc1947d"),
    ("WebSearch_daum", "e955d92539154b6d773b35a36eb1526560ba1d0b5c73dc37d62eef27e46b0bbd"),
    ("WebSearch_naver", "e7be043b374a2945fb382a9bac3841e21b7efe933d9ed504a79b55895b1e8d5a"),
];
