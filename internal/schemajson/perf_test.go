package schemajson
import ("testing";"strings";"time";"fmt")
func TestPerf(t *testing.T){
 run:=func(what,src string){ s:=time.Now(); d,err:=Decode("f",[]byte(src)); a:=time.Since(s); n:=0
  if err==nil { err=Validate(d,d,nil,SQLite); if err==nil {st,_:=d.Statements(SQLite); n=len(st)} }
  m:=""; if err!=nil {m=err.Error(); if len(m)>100{m=m[:100]}}
  t.Log(what,len(src)>>10,"KiB decode",a,"all",time.Since(s),n,m) }
 col:=func(n string)string{return `{"name":"`+n+`","data_type":"VARCHAR(20)","nullable":true,"primary_key":false,"unique":true,"default_value":"'x'"}`}
 var tb []string
 for i:=0;i<1000;i++{ var cs []string; for j:=0;j<30;j++{cs=append(cs,col(fmt.Sprint("c",j)))}; tb=append(tb,fmt.Sprintf(`{"name":"t%d","columns":[%s],"indexes":[],"foreign_keys":[{"name":"f","columns":["c1"],"referenced_table":"t0","referenced_columns":["c2"]}]}`,i,strings.Join(cs,",")))}
 run("1000 tables",`{"version":"1","tables":[`+strings.Join(tb,",")+`]}`)
 var cs,fs []string; for j:=0;j<60000;j++{cs=append(cs,col(fmt.Sprint("c",j))); fs=append(fs,fmt.Sprintf(`{"name":"f%d","columns":["c1"],"referenced_table":"t","referenced_columns":["c%d"]}`,j,j))}
 run("wide",`{"version":"1","tables":[{"name":"t","columns":[`+strings.Join(cs,",")+`],"indexes":[],"foreign_keys":[`+strings.Join(fs,",")+`]}]}`)
 run("paren",`{"version":"1","tables":[],"views":[{"name":"v","definition":"SELECT `+strings.Repeat("(",15<<20)+`"}]}`)
 run("keys",`{"version":"1","tables":[],`+strings.Repeat(`"a":1,`,2500000)+`"b":1}`)
 run("ones",`{"version":"1","tables":[`+strings.Repeat(`1,`,7500000)+`1]}`)
 run("dup",`{"version":"1","tables":[],"views":[`+strings.Repeat(`{"name":"v","definition":"-"},`,500000)+`{"name":"v","definition":"-"}]}`)
 run("dollar",`{"version":"1","tables":[],"views":[`+strings.Repeat(`{"name":"v","definition":"SELECT $"},`,300000)+`{"name":"v","definition":"-"}]}`)
}
